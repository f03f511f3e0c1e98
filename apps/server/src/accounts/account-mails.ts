import type { WriteContext } from '../storage/storage.ts';
import { queueMail } from '../mail/mail.service.ts';
import { createKey, hashKey, KEY_LIFETIME, KEY_ATTEMPTS } from './account-keys.ts';
import { upsertKey } from './account-key.repository.ts';
import type { AccountKeysTable } from '../storage/tables/users.table.ts';

/** Milliseconds for which sending the notice of a changed password is attempted. */
const NOTICE_LIFETIME = 3 * 24 * 60 * 60 * 1000;

/** Creates a key, which replaces an earlier one, and queues the mail with it. */
export async function mailKey(
  write: WriteContext,
  userId: string,
  purpose: AccountKeysTable['purpose'],
): Promise<void> {
  const key = createKey(purpose);
  const expiresAt = Date.now() + KEY_LIFETIME[purpose];
  await upsertKey(write.trx, {
    user_id: userId,
    purpose,
    hash: hashKey(purpose, userId, key),
    expires_at: expiresAt,
    tries_left: KEY_ATTEMPTS,
  });
  await queueMail(write, { userId, purpose, key, expiresAt });
}

/** Queues the notice that the password of an account was changed. */
export async function mailPasswordNotice(write: WriteContext, userId: string): Promise<void> {
  await queueMail(write, {
    userId,
    purpose: 'password-changed',
    expiresAt: Date.now() + NOTICE_LIFETIME,
  });
}
