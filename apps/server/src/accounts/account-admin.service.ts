import { completeIntroduction } from '../invitations/introduction.service.ts';
import type { Reader, WriteContext } from '../storage/storage.ts';
import {
  findAccount,
  findAccounts,
  setSuspended,
  type AccountRow,
} from './account-admin.repository.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
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
export async function verifyAccount(write: WriteContext, userId: string): Promise<void> {
  await setVerified(write.trx, userId, Date.now());
  await deleteKey(write.trx, userId, 'verify');
  await completeIntroduction(write, userId);
}

/** Suspends an account, which ends its sessions and prevents new ones. */
export async function suspendAccount(
  write: WriteContext,
  { id, suspended_at: suspendedAt }: Pick<AccountRow, 'id' | 'suspended_at'>,
): Promise<void> {
  await setSuspended(write.trx, id, suspendedAt ?? Date.now());
  await endSessionsOf(write, id, 'revoked');
}

/** Lets the user of a suspended account log in again. */
export async function resumeAccount({ trx }: WriteContext, userId: string): Promise<void> {
  await setSuspended(trx, userId, null);
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
