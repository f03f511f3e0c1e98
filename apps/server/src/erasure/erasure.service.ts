import { hashAddress } from '../mail/folder-delivery.ts';
import type { WriteContext } from '../storage/storage.ts';
import { queueErasure } from './erasure.repository.ts';

/** Queues the erasure of a deleted account's data and of mails to its addresses that were written to files. */
export async function queueAccountErasure(
  { trx, emit }: WriteContext,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  await queueErasure(trx, 'account', userId);
  for (const email of emails) await queueErasure(trx, 'mails', hashAddress(email));
  emit({ type: 'erasure-queued' });
}

/** Queues the erasure of a file in the media store, whose row has been deleted. */
export async function queueFileErasure({ trx, emit }: WriteContext, file: string): Promise<void> {
  await queueErasure(trx, 'file', file);
  emit({ type: 'erasure-queued' });
}

/** Queues the erasure of those messages of a chatroom that no member sees any more. */
export async function queueChatroomErasure(
  { trx, emit }: WriteContext,
  chatroomId: string,
): Promise<void> {
  await queueErasure(trx, 'chatroom', chatroomId);
  emit({ type: 'erasure-queued' });
}
