import { hashAddress } from '../mail/outbox-delivery.ts';
import type { WriteContext } from '../storage/storage.ts';
import { queueErasure } from './erasure.repository.ts';

/** Queues the erasure of a deleted account's data and of mails to its address in the outbox folder. */
export async function queueAccountErasure(
  { trx, emit }: WriteContext,
  userId: string,
  email: string,
): Promise<void> {
  await queueErasure(trx, 'account', userId);
  await queueErasure(trx, 'mails', hashAddress(email));
  emit({ type: 'erasure-queued' });
}
