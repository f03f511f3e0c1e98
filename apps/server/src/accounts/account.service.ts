import { domainToUnicode } from 'node:url';
import type { CurrentUser, PrivacyBody, PrivacySettings, Volume } from '@parley/contract';
import { toLanguage, type Language } from '@parley/texts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import {
  findUserById,
  setLanguage,
  setPrivacy,
  setVolume,
  type UserRow,
} from './account.repository.ts';

/**
 * Returns the profile and settings of the current user.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function getCurrentUser(ctx: Context, userId: string): Promise<CurrentUser> {
  const user = await ctx.storage.read((db) => findUserById(db, userId));
  if (user === undefined) throw new AppError('unauthenticated');
  return {
    username: user.username,
    usermail: withReadableDomain(user.email),
    dateOfRegistration: new Date(user.created_at).toISOString(),
    language: toLanguage(user.language),
    volume: user.volume,
    ...toPrivacySettings(user),
  };
}

function withReadableDomain(email: string): string {
  const start = email.lastIndexOf('@') + 1;
  return email.slice(0, start) + domainToUnicode(email.slice(start));
}

function toPrivacySettings(user: UserRow): PrivacySettings {
  return {
    whoMayWrite: user.who_may_write,
    isDiscoverable: user.is_discoverable === 1,
    sharesReceipts: user.shares_receipts === 1,
    sharesTyping: user.shares_typing === 1,
    sharesPresence: user.shares_presence === 1,
  };
}

/** Changes the language of a user's interface and mails. */
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

/** Changes the volume of sounds. `loud` is an alias of `full`. Returns the stored value. */
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

/**
 * Changes who may write to a user, whether others find them and what they share. Returns all stored values.
 * @throws {AppError} `unauthenticated` if the account has just been deleted.
 */
export async function changePrivacy(
  ctx: Context,
  userId: string,
  { whoMayWrite, isDiscoverable, sharesReceipts, sharesTyping, sharesPresence }: PrivacyBody,
): Promise<PrivacySettings> {
  const settings = {
    ...(whoMayWrite !== undefined && { whoMayWrite }),
    ...(isDiscoverable !== undefined && { isDiscoverable }),
    ...(sharesReceipts !== undefined && { sharesReceipts }),
    ...(sharesTyping !== undefined && { sharesTyping }),
    ...(sharesPresence !== undefined && { sharesPresence }),
  };
  return ctx.storage.write(async ({ trx, emit }) => {
    if (Object.keys(settings).length > 0) {
      await setPrivacy(trx, userId, settings);
      emit({ type: 'settings-changed', userId, settings });
    }
    const user = await findUserById(trx, userId);
    if (user === undefined) throw new AppError('unauthenticated');
    return toPrivacySettings(user);
  });
}
