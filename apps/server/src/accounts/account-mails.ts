import type { WriteContext } from '../storage/storage.ts';
import { queueMail } from '../mail/mail.service.ts';
import { createResetKey } from './account-admin.service.ts';
import { normalizeEmail } from '@parley/contract';
import { createKey, hashKey, KEY_LIFETIME, KEY_ATTEMPTS } from './account-keys.ts';
import type { UserRow } from './account.repository.ts';
import { insertFormerEmail, upsertEmailChange } from './email-change.repository.ts';
import { setVerificationKey } from './registration.repository.ts';

/** Milliseconds for which sending a notice is attempted. */
const NOTICE_LIFETIME = 3 * 24 * 60 * 60 * 1000;

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

/**
 * Stores the address that a user wants to change to and queues the mail with its key. If another account
 * holds the address, `holder`, its user is told instead, and the same is stored.
 */
export async function mailEmailChangeKey(
  write: WriteContext,
  userId: string,
  email: string,
  holder?: string,
): Promise<void> {
  const key = createKey('change');
  const expiresAt = Date.now() + KEY_LIFETIME.change;
  await upsertEmailChange(write.trx, {
    user_id: userId,
    email,
    key_hash: hashKey('change', userId, key),
    key_expires_at: expiresAt,
    tries_left: KEY_ATTEMPTS,
  });
  await (holder === undefined
    ? queueMail(write, { userId, email, purpose: 'change-email', key, expiresAt })
    : queueMail(write, { userId: holder, email, purpose: 'email-taken', expiresAt }));
}

/** Holds the former address of a user, and queues the mail to it with the key that takes the account back. */
export async function mailRestoreKey(
  write: WriteContext,
  { id: userId, email }: UserRow,
): Promise<void> {
  const key = createKey('restore');
  const expiresAt = Date.now() + KEY_LIFETIME.restore;
  await insertFormerEmail(write.trx, {
    key_hash: hashKey('restore', '', key),
    user_id: userId,
    email: normalizeEmail(email),
    stored_email: email,
    expires_at: expiresAt,
  });
  await queueMail(write, { userId, email, purpose: 'email-changed', key, expiresAt });
}

/** Queues a notice to the address that an account had until now. */
export async function mailEmailNotice(
  write: WriteContext,
  { id: userId, email }: UserRow,
  purpose: 'email-restored' | 'email-set',
): Promise<void> {
  await queueMail(write, { userId, email, purpose, expiresAt: Date.now() + NOTICE_LIFETIME });
}
