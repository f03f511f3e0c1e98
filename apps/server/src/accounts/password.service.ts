import type { NewPasswordBody, PasswordChangeBody } from '@parley/contract';
import type { DeviceAccount } from '../devices/known-devices.ts';
import { AppError } from '../errors/app-error.ts';
import type { CurrentSession } from '../plugins/current-session.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import type { AccountContext } from './account-context.ts';
import { hashKey, isSameHash } from './account-keys.ts';
import { consumeKey, deleteKey, consumeAttempt } from './account-key.repository.ts';
import { mailPasswordNotice, mailResetKey } from './account-mails.ts';
import { findUsersByEmail, setPasswordHash } from './account.repository.ts';
import { cleanEmail, cleanPassword } from './credentials.ts';
import { assertUnchangedPassword, verifyCurrentPassword } from './current-password.ts';
import { cancelEmailChange } from './email-change.service.ts';

/**
 * Queues a mail with a reset key, which replaces an earlier one, for each account of the address. Registrations
 * that are not verified have no password to reset: the user can register again.
 * @throws {AppError} `user_not_found`
 */
export async function requestReset(ctx: AccountContext, rawEmail: string): Promise<void> {
  const email = cleanEmail(rawEmail);
  await ctx.storage.write(async (write) => {
    const users = await findUsersByEmail(write.trx, email);
    if (users.length === 0) throw new AppError('user_not_found');
    for (const { id } of users) await mailResetKey(write, id);
  });
}

/**
 * Sets a new password with a reset key and ends all sessions of the account. Returns the account, whose
 * devices are forgotten.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @throws {AppError} `user_not_found` or `reset_key_wrong`
 */
export async function resetPassword(
  ctx: AccountContext,
  body: NewPasswordBody,
  hashingOwner: JobOwner,
): Promise<DeviceAccount> {
  const email = cleanEmail(body.email);
  const password = cleanPassword(body.newPw);

  // Throwing here would roll back the consumed attempt.
  const checked = await ctx.storage.write(async ({ trx }) => {
    const users = await findUsersByEmail(trx, email);
    if (users.length === 0) return 'user_not_found';
    let checkedKey: { userId: string; keyHash: string } | undefined;
    for (const { id } of users) {
      const stored = await consumeAttempt(trx, id, 'reset', Date.now());
      const isRight = stored !== undefined && isSameHash(stored, hashKey('reset', id, body.key));
      if (isRight) checkedKey = { userId: id, keyHash: stored };
    }
    return checkedKey ?? 'reset_key_wrong';
  });
  if (typeof checked === 'string') throw new AppError(checked);

  // Hashing is expensive, so it happens only after the key was checked.
  const passwordHash = await ctx.passwords.hash(password, hashingOwner);
  return ctx.storage.write(async (write) => {
    const { userId, keyHash } = checked;
    if (!(await consumeKey(write.trx, userId, 'reset', keyHash, Date.now()))) {
      throw new AppError('reset_key_wrong');
    }
    await setPasswordHash(write.trx, userId, passwordHash);
    await cancelEmailChange(write, userId);
    const account = await endSessionsOf(write, userId, 'password-changed');
    await mailPasswordNotice(write, userId);
    return account;
  });
}

/**
 * Changes the password of the current user and ends their other sessions. Returns the account, whose
 * devices are forgotten.
 * @param hashingOwner the owner of the jobs in the password hasher's queue.
 * @throws {AppError} `wrong_password` if the current password is wrong.
 */
export async function changePassword(
  ctx: AccountContext,
  session: CurrentSession,
  body: PasswordChangeBody,
  hashingOwner: JobOwner,
): Promise<DeviceAccount> {
  const newPassword = cleanPassword(body.newPassword);
  const oldPassword = cleanPassword(body.oldPassword);
  const user = await verifyCurrentPassword(ctx, session.userId, oldPassword, hashingOwner);

  const passwordHash = await ctx.passwords.hash(newPassword, hashingOwner);
  return ctx.storage.write(async (write) => {
    await assertUnchangedPassword(write.trx, user);
    await setPasswordHash(write.trx, session.userId, passwordHash);
    await deleteKey(write.trx, session.userId, 'reset');
    // Another one may have requested it who knew the password.
    await cancelEmailChange(write, session.userId);
    const { userId, sessionId } = session;
    const account = await endSessionsOf(write, userId, 'password-changed', sessionId);
    await mailPasswordNotice(write, userId);
    return account;
  });
}
