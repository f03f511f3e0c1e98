import type { Reader, WriteContext } from '../storage/storage.ts';
import { findAccount, findAccounts, type AccountRow } from './account-admin.repository.ts';
import { createKey, hashKey, KEY_LIFETIME, KEY_ATTEMPTS } from './account-keys.ts';
import { deleteKey, upsertKey } from './account-key.repository.ts';
import { setVerified } from './account.repository.ts';

export type { AccountRow } from './account-admin.repository.ts';

/** Returns all accounts, oldest first. */
export function listAccounts(db: Reader): Promise<AccountRow[]> {
  return findAccounts(db);
}

/** Finds the account with a username or email address. */
export function findAccountByName(
  { trx }: WriteContext,
  usernameOrEmail: string,
): Promise<AccountRow | undefined> {
  return findAccount(trx, usernameOrEmail);
}

/** Marks the email address of an account as verified, like the emailed key. */
export async function verifyAccount({ trx }: WriteContext, userId: string): Promise<void> {
  await setVerified(trx, userId, Date.now());
  await deleteKey(trx, userId, 'verify');
}

/** Creates a reset key, which replaces an earlier one. `expiresAt` is in UTC milliseconds. */
export async function createResetKey(
  { trx }: WriteContext,
  userId: string,
): Promise<{ key: string; expiresAt: number }> {
  const key = createKey('reset');
  const expiresAt = Date.now() + KEY_LIFETIME.reset;
  await upsertKey(trx, {
    user_id: userId,
    purpose: 'reset',
    hash: hashKey('reset', userId, key),
    expires_at: expiresAt,
    tries_left: KEY_ATTEMPTS,
  });
  return { key, expiresAt };
}
