import type { AccountSettings, ChangedSettings, CurrentUser, UserEmails } from '@parley/contract';
import { pickSettings } from '@parley/contract/schemas';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import type { Reader } from '../storage/storage.ts';
import { toReadableEmail } from './readable-email.ts';
import { findNewEmail } from './email-change.repository.ts';
import { findUserById, setSettings, type UserRow } from './account.repository.ts';
import { readSettings } from './setting-columns.ts';

/**
 * Returns the profile and settings of the current user.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function getCurrentUser(ctx: Context, userId: string): Promise<CurrentUser> {
  const { user, emails } = await ctx.storage.read(async (db) => {
    const row = await findUserById(db, userId);
    if (row === undefined) throw new AppError('unauthenticated');
    return { user: row, emails: await readEmails(db, row) };
  });
  return {
    username: user.username,
    ...emails,
    dateOfRegistration: new Date(user.created_at).toISOString(),
    ...readSettings(user),
  };
}

/** Returns the address of a user and the one that the user wants to change to, readable. */
export async function readEmails(
  db: Reader,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<UserEmails> {
  const newEmail = await findNewEmail(db, id);
  return {
    usermail: toReadableEmail(email),
    ...(newEmail !== undefined && { newUsermail: toReadableEmail(newEmail) }),
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
