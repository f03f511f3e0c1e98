import type { Context } from '../context.ts';
import { findSharedMailboxes } from './email-clash.repository.ts';

export { findSharedMailboxes } from './email-clash.repository.ts';

/** Warns the operator of accounts that share a mailbox, of which a user may use the wrong one. */
export async function warnOfSharedMailboxes({
  storage,
  log,
}: Pick<Context, 'storage' | 'log'>): Promise<void> {
  const { length: count } = await storage.read(findSharedMailboxes);
  if (count === 0) return;
  log.warn(
    `${count === 1 ? 'A mailbox has' : `${count} mailboxes have`} more than one account, because its address ` +
      "was registered in several forms. 'parley doctor' lists them and what to do.",
  );
}
