import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import {
  countMails,
  deleteMailsFor,
  insertMail,
  setMailAddress,
  type MailRecipient,
} from './mail-queue.repository.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';

export { readdressMails } from './mail-queue.repository.ts';

/**
 * Queues a mail within the write that causes it, so that both are committed or neither. The mail
 * sender is notified after the commit; the write never waits for a mail server.
 */
export async function queueMail(
  { trx, emit }: WriteContext,
  mail: MailRecipient & { purpose: MailPurpose; email?: string; key?: string; expiresAt: number },
): Promise<void> {
  const { email = null, key = null } = mail;
  await insertMail(trx, { ...mail, email, key, now: Date.now() });
  emit({ type: 'mail-queued' });
}

/** Keeps the queued mails of an account on their way to its address of now, because it changes. */
export async function pinMails(
  { trx }: WriteContext,
  userId: string,
  email: string,
): Promise<void> {
  await setMailAddress(trx, userId, email);
}

/** Discards the queued mails of an account for some purposes, because their keys are not valid any more. */
export async function discardMails(
  { trx }: WriteContext,
  userId: string,
  purposes: readonly MailPurpose[],
): Promise<void> {
  await deleteMailsFor(trx, userId, purposes);
}

/** Returns the number of queued mails. */
export function countQueuedMails({ storage }: Pick<Context, 'storage'>): Promise<number> {
  return storage.read(countMails);
}
