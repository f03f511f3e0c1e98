import { normalizeEmail, usernameKey } from '@parley/contract';
import type { Reader, WriteContext } from '../storage/storage.ts';
import { findAccounts, setSuspended, type AccountRow } from './account-admin.repository.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import { createKey, hashKey, KEY_LIFETIME, KEY_ATTEMPTS } from './account-keys.ts';
import { upsertKey } from './account-key.repository.ts';
import {
  findLookAlikes,
  findRegistrations,
  type RegistrationRow,
} from './registration.repository.ts';

export { findAccountsByName, type AccountRow } from './account-admin.repository.ts';
export { deleteRegistrations, type RegistrationRow } from './registration.repository.ts';

/** Returns all accounts and registrations, oldest first. */
export async function listAccounts(db: Reader): Promise<AccountRow[]> {
  const accounts = await findAccounts(db);
  const registrations = (await findRegistrations(db)).map(
    ({ id, username, email, created_at }): AccountRow => ({
      id,
      username,
      email,
      created_at,
      verified_at: null,
      suspended_at: null,
      last_seen_at: null,
    }),
  );
  return [...accounts, ...registrations].toSorted((a, b) => a.created_at - b.created_at);
}

/** Finds the registrations with a username or email address that are not verified yet. */
export async function findRegistrationsByName(
  { trx }: WriteContext,
  usernameOrEmail: string,
): Promise<RegistrationRow[]> {
  if (usernameOrEmail.includes('@')) return findRegistrations(trx, normalizeEmail(usernameOrEmail));
  const key = usernameKey(usernameOrEmail);
  const found = await findLookAlikes(trx, usernameOrEmail);
  return found.filter(({ username }) => usernameKey(username) === key);
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
