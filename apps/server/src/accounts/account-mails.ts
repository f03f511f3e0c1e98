import type { WriteContext } from '../storage/storage.ts';
import { queueMail } from '../mail/mail.service.ts';
import { createResetKey } from './account-admin.service.ts';
import { createKey, hashKey, KEY_LIFETIME, KEY_ATTEMPTS } from './account-keys.ts';
import { setVerificationKey } from './registration.repository.ts';

/** Milliseconds for which sending the notice of a changed password is attempted. */
export const NOTICE_LIFETIME = 3 * 24 * 60 * 60 * 1000;

/** Creates a key to reset a password, which replaces an earlier one, and queues the mail with it. */
export async function mailResetKey(write: WriteContext, userId: string): Promise<void> {
  await queueMail(write, { userId, purpose: 'reset', ...(await createResetKey(write, userId)) });
}

/** Gives a registration a key, which replaces an earlier one, and queues the mail with it. */
export async function mailVerificationKey(
  write: WriteContext,
  registrationId: string,
): Promise<void> {
  const key = createKey('verify');
  const expiresAt = Date.now() + KEY_LIFETIME.verify;
  await setVerificationKey(write.trx, registrationId, {
    key_hash: hashKey('verify', registrationId, key),
    key_expires_at: expiresAt,
    tries_left: KEY_ATTEMPTS,
  });
  await queueMail(write, { registrationId, purpose: 'verify', key, expiresAt });
}

/** Queues the notice that the password of an account was changed. */
export async function mailPasswordNotice(write: WriteContext, userId: string): Promise<void> {
  await queueMail(write, {
    userId,
    purpose: 'password-changed',
    expiresAt: Date.now() + NOTICE_LIFETIME,
  });
}
