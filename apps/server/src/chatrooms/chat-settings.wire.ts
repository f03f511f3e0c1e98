import type { ChatSettings } from '@parley/contract';

/** The stored settings of a chat for one of its members. */
export interface SettingsRow {
  is_pinned: number;
  archived_seq: number | null;
  /** When the partner sent their newest message after `archived_seq`; null if there is none. */
  message_after_archiving_at: number | null;
  muted_until: number | null;
  is_marked_unread: number;
  settings_version: number;
  /** Null if the partner's account was deleted. */
  partner_name: string | null;
}

/** Returns whether a chat is archived: the partner has sent no message since that was not muted. */
export function isArchived(row: SettingsRow): boolean {
  const { archived_seq: seq, message_after_archiving_at: at, muted_until: mutedUntil } = row;
  return seq !== null && (at === null || at <= (mutedUntil ?? 0));
}

/** Returns the settings of a chat. Chats of deleted accounts are last in the list, and not pinned. */
export function toSettings(row: SettingsRow): ChatSettings {
  const { muted_until: mutedUntil, partner_name: partner } = row;
  return {
    version: row.settings_version,
    ...(row.is_pinned === 1 && partner !== null && { isPinned: true }),
    ...(isArchived(row) && { isArchived: true }),
    ...(mutedUntil !== null && { mutedUntil: new Date(mutedUntil).toISOString() }),
    ...(row.is_marked_unread === 1 && { isMarkedUnread: true }),
  };
}

/** Returns the field of responses that contains the settings, once the user has changed any. */
export function toSettingsField(row: SettingsRow): { settings?: ChatSettings } {
  return row.settings_version === 0 ? {} : { settings: toSettings(row) };
}
