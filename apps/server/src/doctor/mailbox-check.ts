import { findSharedMailboxes } from '../accounts/email-clash.service.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const mailboxes = createFindings('mailboxes');

/** Maximum number of mailboxes whose accounts are listed. */
const LISTED_MAX = 10;

/** Checks whether each mailbox has only one account. */
export async function checkMailboxes({ read }: Pick<Storage, 'read'>): Promise<Finding> {
  const shared = await read(findSharedMailboxes);
  if (shared.length === 0) return mailboxes.ok('each has one account');
  const listed = shared.slice(0, LISTED_MAX).map((usernames) => usernames.join(' and '));
  const rest = shared.length - listed.length;
  return mailboxes.warning(
    `Accounts with the same email address in different forms: ${listed.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
    "Each still logs in with its own password. Ask the owners which account they want to keep, and delete the other one with 'parley user delete <username>'.",
  );
}
