import type { AccountSettings, ChangedSettings, CurrentUser } from '@parley/contract';
import { pickSettings } from '@parley/contract/schemas';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { toReadableEmail } from './readable-email.ts';
import { findNewEmail } from './email-change.repository.ts';
import { findUserById, setSettings } from './account.repository.ts';
import { readSettings } from './setting-columns.ts';

/**
 * Returns the profile and settings of the current user.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function getCurrentUser(ctx: Context, userId: string): Promise<CurrentUser> {
  const { user, newEmail } = await ctx.storage.read(async (db) => ({
    user: await findUserById(db, userId),
    newEmail: await findNewEmail(db, userId),
  }));
  if (user === undefined) throw new AppError('unauthenticated');
  return {
    username: user.username,
    usermail: toReadableEmail(user.email),
    ...(newEmail !== undefined && { newUsermail: toReadableEmail(newEmail) }),
    dateOfRegistration: new Date(user.created_at).toISOString(),
    ...readSettings(user),
  };
}

/**
 * Changes settings of a user and tells the user's other devices. Returns all settings.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function changeSettings(
  ctx: Context,
  userId: string,
  changed: ChangedSettings,
): Promise<AccountSettings> {
  const settings = pickSettings(changed);
  return ctx.storage.write(async ({ trx, emit }) => {
    if (Object.keys(settings).length > 0) {
      await setSettings(trx, userId, settings);
      emit({ type: 'settings-changed', userId, settings });
    }
    const user = await findUserById(trx, userId);
    if (user === undefined) throw new AppError('unauthenticated');
    return readSettings(user);
  });
}
