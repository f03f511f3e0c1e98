import { createKey, hashKey, KEY_LIFETIME, KEY_TRIES } from '../accounts/account-keys.ts';
import { deleteKey, putKey } from '../accounts/account-key.repository.ts';
import { setVerified } from '../accounts/account.repository.ts';
import type { WriteContext } from '../storage/storage.ts';

/** Does what the mailed key would have done. */
export async function verifyAccount({ trx }: WriteContext, userId: string): Promise<void> {
  await setVerified(trx, userId, Date.now());
  await deleteKey(trx, userId, 'verify');
}

/** A reset key in place of an earlier one, for an operator to hand over. */
export async function makeResetKey(
  { trx }: WriteContext,
  userId: string,
): Promise<{ key: string; expiresAt: number }> {
  const key = createKey('reset');
  const expiresAt = Date.now() + KEY_LIFETIME.reset;
  await putKey(trx, {
    user_id: userId,
    purpose: 'reset',
    hash: hashKey('reset', userId, key),
    expires_at: expiresAt,
    tries_left: KEY_TRIES,
  });
  return { key, expiresAt };
}
