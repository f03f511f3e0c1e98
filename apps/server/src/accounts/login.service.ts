import type { LoginBody } from '@parley/contract';
import { AppError } from '../errors/app-error.ts';
import { openSession } from '../sessions/session.service.ts';
import type { AccountContext } from './account-context.ts';
import { findUserByEmail, findUserById } from './account.repository.ts';
import { cleanEmail, cleanPassword } from './credentials.ts';

/** Somebody who has just shown that they know their password. */
export interface AuthenticatedUser {
  userId: string;
  isVerified: boolean;
  /** The hash that their password was checked against. */
  passwordHash: string;
}

/**
 * Checks a password for whoever waits in `queue`. An unknown address costs the same time as a wrong
 * password.
 * @throws {AppError} `wrong_credentials`
 */
export async function authenticate(
  ctx: AccountContext,
  body: LoginBody,
  queue: string,
): Promise<AuthenticatedUser> {
  const password = cleanPassword(body.password);
  const user = await ctx.storage.read((db) => findUserByEmail(db, cleanEmail(body.email)));
  const isCorrect = await ctx.passwords.verify(user?.password_hash, password, queue);
  if (user === undefined || !isCorrect) throw new AppError('wrong_credentials');
  return {
    userId: user.id,
    isVerified: user.verified_at !== null,
    passwordHash: user.password_hash,
  };
}

/**
 * Makes the session of somebody who has authenticated. Returns its public id.
 * @throws {AppError} `wrong_credentials` if their password was changed, or their account deleted,
 * while it was being checked.
 */
export async function startSession(
  ctx: AccountContext,
  { userId, passwordHash }: AuthenticatedUser,
  session: { token: string; device: string },
): Promise<string> {
  return ctx.storage.write(async (write) => {
    const user = await findUserById(write.trx, userId);
    if (user?.password_hash !== passwordHash) throw new AppError('wrong_credentials');
    return openSession(write, { userId, ...session });
  });
}
