import type { LoginBody } from '@parley/contract';
import { AppError } from '../errors/app-error.ts';
import type { DeviceAccount } from '../devices/known-devices.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { openSession } from '../sessions/session.service.ts';
import type { AccountContext } from './account-context.ts';
import { findUserById, findUsersByEmail, type UserRow } from './account.repository.ts';
import { cleanEmail, cleanPassword } from './credentials.ts';
import { findRegistrations } from './registration.repository.ts';

/** A user who has entered the correct password. */
export interface AuthenticatedUser {
  userId: string;
  isVerified: boolean;
  isSuspended: boolean;
  /** The hash that the password was checked against. */
  passwordHash: string;
}

/**
 * Checks an email address and password. An unknown email address takes the same time as a wrong
 * password.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @param knownAccount the id of the account that has logged in on the device before: it is preferred if
 * several accounts have the address and the password.
 * @throws {AppError} `wrong_credentials`
 */
export async function authenticate(
  ctx: AccountContext,
  body: LoginBody,
  hashingOwner: JobOwner,
  knownAccount?: string,
): Promise<AuthenticatedUser> {
  const password = cleanPassword(body.password);
  const email = cleanEmail(body.email);
  const { users, registrations } = await ctx.storage.read(async (db) => ({
    users: await findUsersByEmail(db, email),
    registrations: await findRegistrations(db, email),
  }));
  if (users.length === 0) {
    const hashes = registrations.map(({ password_hash: hash }) => hash);
    const match = await ctx.passwords.findMatch(hashes, password, hashingOwner);
    const registration = registrations.find(({ password_hash: hash }) => hash === match);
    if (registration === undefined) throw new AppError('wrong_credentials');
    return {
      userId: registration.id,
      isVerified: false,
      isSuspended: false,
      passwordHash: registration.password_hash,
    };
  }
  const isKnown = ({ id }: UserRow) => Number(id === knownAccount);
  for (const user of users.toSorted((a, b) => isKnown(b) - isKnown(a))) {
    if (!(await ctx.passwords.verify(user.password_hash, password, hashingOwner))) continue;
    return {
      userId: user.id,
      isVerified: true,
      isSuspended: user.suspended_at !== null,
      passwordHash: user.password_hash,
    };
  }
  throw new AppError('wrong_credentials');
}

/**
 * Creates a session for an authenticated user. Returns its public id and the account for the device
 * cookie.
 * @throws {AppError} `wrong_credentials` if the password was changed or the account deleted in the
 * meantime, `account_suspended` if the operator has suspended the account.
 */
export async function startSession(
  ctx: AccountContext,
  { userId, passwordHash }: AuthenticatedUser,
  session: { token: string; device: string },
): Promise<{ id: string; account: DeviceAccount }> {
  return ctx.storage.write(async (write) => {
    const user = await findUserById(write.trx, userId);
    if (user?.password_hash !== passwordHash) throw new AppError('wrong_credentials');
    if (user.suspended_at !== null) throw new AppError('account_suspended');
    const id = await openSession(write, { userId, ...session });
    return { id, account: { id: userId, epoch: user.device_epoch } };
  });
}
