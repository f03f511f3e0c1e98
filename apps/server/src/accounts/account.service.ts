import type { CurrentUser, Language, Volume } from '@parley/contract';
import { toLanguage } from '@parley/texts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { findUserById, setLanguage, setVolume } from './account.repository.ts';

/**
 * What somebody sees of their own account.
 * @throws {AppError} `unauthenticated` if it was deleted a moment ago.
 */
export async function readCurrentUser(ctx: Context, userId: string): Promise<CurrentUser> {
  const user = await ctx.storage.read((db) => findUserById(db, userId));
  if (user === undefined) throw new AppError('unauthenticated');
  return {
    username: user.username,
    usermail: user.email,
    dateOfRegistration: new Date(user.created_at).toISOString(),
    language: toLanguage(user.language),
    volume: user.volume,
  };
}

/** Stores the language that the person reads and gets mails in. */
export async function changeLanguage(
  ctx: Context,
  userId: string,
  language: Language,
): Promise<Language> {
  await ctx.storage.write(async ({ trx, emit }) => {
    await setLanguage(trx, userId, language);
    emit({ type: 'settings-changed', userId, settings: { language } });
  });
  return language;
}

/** Stores how loud sounds are; `loud` is another word for `full`. Returns what was stored. */
export async function changeVolume(
  ctx: Context,
  userId: string,
  requested: Volume | 'loud',
): Promise<Volume> {
  const volume = requested === 'loud' ? 'full' : requested;
  await ctx.storage.write(async ({ trx, emit }) => {
    await setVolume(trx, userId, volume);
    emit({ type: 'settings-changed', userId, settings: { volume } });
  });
  return volume;
}
