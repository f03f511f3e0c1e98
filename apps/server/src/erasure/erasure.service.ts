import { addressHash } from '../mail/outbox-delivery.ts';
import type { WriteContext } from '../storage/storage.ts';
import { queueErasure } from './erasure.repository.ts';

/** Queues what an account that ends leaves for erasure, with the mails in the outbox to its address. */
export async function queueAccountErasure(
  { trx, emit }: WriteContext,
  userId: string,
  email: string,
): Promise<void> {
  await queueErasure(trx, 'account', userId);
  await queueErasure(trx, 'mails', addressHash(email));
  emit({ type: 'erasure-queued' });
}
