import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { countMails, insertMail, type MailRecipient } from './mail-queue.repository.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';

export { readdressMails } from './mail-queue.repository.ts';

/**
 * Queues a mail within the write that causes it, so that both are committed or neither. The mail
 * sender is notified after the commit; the write never waits for a mail server.
 */
export async function queueMail(
  { trx, emit }: WriteContext,
  mail: MailRecipient & { purpose: MailPurpose; key?: string; expiresAt: number },
): Promise<void> {
  await insertMail(trx, { ...mail, key: mail.key ?? null, now: Date.now() });
  emit({ type: 'mail-queued' });
}

/** Returns the number of queued mails. */
export function countQueuedMails({ storage }: Pick<Context, 'storage'>): Promise<number> {
  return storage.read(countMails);
}
