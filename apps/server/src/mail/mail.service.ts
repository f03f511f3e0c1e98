import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { countMails, insertMail } from './mail.repository.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.ts';

/**
 * Queues a mail within the write that gave rise to it: both are kept or neither is. The sender wakes
 * up when that write is committed; whoever waits for the write never waits for a mail server.
 */
export async function queueMail(
  { trx, emit }: WriteContext,
  mail: { userId: string; purpose: MailPurpose; key?: string; expiresAt: number },
): Promise<void> {
  await insertMail(trx, { ...mail, key: mail.key ?? null, now: Date.now() });
  emit({ type: 'mail-queued' });
}

/** Returns how many mails wait to be handed over. */
export function countQueuedMails({ storage }: Pick<Context, 'storage'>): Promise<number> {
  return storage.read(countMails);
}
