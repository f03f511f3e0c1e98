import {
  isTimeZone,
  MUTED_ALWAYS,
  type NotificationSettings,
  type NotificationSettingsBody,
} from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { Rollback } from '../storage/storage.ts';
import {
  findSettings,
  upsertSettings,
  type NotificationSettingsRow,
} from './notification-settings.repository.ts';

/** The stored settings without their user, or null where there are none. */
type StoredSettings = {
  [Key in keyof Omit<NotificationSettingsRow, 'user_id'>]: NotificationSettingsRow[Key] | null;
};

/** Returns the settings of a user. */
export async function getSettings(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
): Promise<NotificationSettings> {
  return toNotificationSettings(await storage.read((db) => findSettings(db, userId)));
}

/**
 * Changes settings of a user, and notifies the user's devices. Returns all settings.
 * @throws {AppError} `invalid_request`
 */
export function changeNotificationSettings(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
  { content, quietHours, pausedUntil: pauseText }: NotificationSettingsBody,
): Promise<NotificationSettings> {
  if (quietHours && !isTimeZone(quietHours.timeZone)) throw new AppError('invalid_request');
  const pausedUntil = parsePause(pauseText);
  return storage.write(async ({ trx, emit }) => {
    const before = toNotificationSettings(await findSettings(trx, userId));
    const next: NotificationSettings = {
      version: before.version + 1,
      content: content ?? before.content,
      quietHours: quietHours === undefined ? before.quietHours : quietHours,
      pausedUntil: pausedUntil === undefined ? before.pausedUntil : pausedUntil,
    };
    if (isSame(before, next)) return new Rollback(before);
    await upsertSettings(trx, toRow(userId, next));
    emit({ type: 'notification-settings', userId, settings: next });
    return next;
  });
}

/** Converts stored settings. */
export function toNotificationSettings(row: StoredSettings | undefined): NotificationSettings {
  return {
    version: row?.version ?? 0,
    content: row?.content ?? 'who',
    quietHours: toQuietHours(row),
    pausedUntil: row?.paused_until ? new Date(row.paused_until).toISOString() : null,
  };
}

function toQuietHours(row: StoredSettings | undefined): NotificationSettings['quietHours'] {
  const { quiet_from: from, quiet_to: to, quiet_zone: timeZone } = row ?? {};
  if (!from || !to || !timeZone) return null;
  return { from, to, timeZone, isOnlySound: row?.quiet_only_sound === 1 };
}

function toRow(userId: string, settings: NotificationSettings): NotificationSettingsRow {
  const { version, content, quietHours, pausedUntil } = settings;
  return {
    user_id: userId,
    version,
    content,
    quiet_from: quietHours?.from ?? null,
    quiet_to: quietHours?.to ?? null,
    quiet_zone: quietHours?.timeZone ?? null,
    quiet_only_sound: quietHours && Number(quietHours.isOnlySound),
    paused_until: pausedUntil === null ? null : Date.parse(pausedUntil),
  };
}

function isSame(before: NotificationSettings, next: NotificationSettings): boolean {
  const columns = (settings: NotificationSettings) =>
    JSON.stringify(toRow('', { ...settings, version: 0 }));
  return columns(before) === columns(next);
}

/** @throws {AppError} `invalid_request` */
function parsePause(value: string | null | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  const time = Date.parse(value);
  if (!(time > 0 && time <= Date.parse(MUTED_ALWAYS))) throw new AppError('invalid_request');
  return new Date(time).toISOString();
}
