import type { ChatSettings, ChatSettingsBody } from '@parley/contract';
import { hasFields, isBoolean, isNumber, isOptionalBoolean, isText } from '../api/responses.ts';
import { muteEnd, withSettings, type Chat } from '../stores/chat-list.ts';
import type { Mutation } from './mutations-store.ts';

/** The kind of the mutations of chat settings. */
export const SETTINGS_MUTATION = 'chat-settings';

/** A setting of a chat: its place in the list, which is pinned or archived; its mute; its mark as unread. */
export type ChatSetting = 'place' | 'mute' | 'mark';

/** Returns the key of the mutation of a setting. */
export function settingsMutationKey(chatroomId: string, setting: ChatSetting): string {
  return `${SETTINGS_MUTATION}:${chatroomId}:${setting}`;
}

/** Parses the value of a mutation. Returns undefined unless it is one of chat settings. */
export function parseSettingsMutation({ key, value }: Mutation): ChatSettingsBody | undefined {
  if (!key.startsWith(`${SETTINGS_MUTATION}:`)) return undefined;
  const isValid = hasFields(value, {
    isPinned: isOptionalBoolean,
    isArchived: isOptionalBoolean,
    archivedSeq: (seq) => seq === undefined || isNumber(seq),
    mutedUntil: (time) => time === undefined || time === null || isText(time),
    isMarkedUnread: (isMarked) => isMarked === undefined || isBoolean(isMarked),
  });
  return isValid ? (value as ChatSettingsBody) : undefined;
}

/** Returns a chat with settings that the server has not confirmed yet. */
export function withPendingSettings(chat: Chat, changes: readonly ChatSettingsBody[]): Chat {
  if (changes.length === 0) return chat;
  const body: ChatSettingsBody = Object.assign({}, ...changes);
  const { mutedUntil, isPinned, isMarkedUnread } = { ...chat.settings, ...omitUndefined(body) };
  const muted = typeof mutedUntil === 'string' ? { mutedUntil } : {};
  const settings: ChatSettings = {
    ...(isPinned && { isPinned }),
    ...(isArchivedBy(body, chat, muteEnd(muted)) && { isArchived: true }),
    ...muted,
    ...(isMarkedUnread && { isMarkedUnread }),
  };
  return withSettings(chat, settings);
}

/** Returns whether a chat is archived, as the server will decide. */
function isArchivedBy(body: ChatSettingsBody, chat: Chat, mutedUntil: number): boolean {
  const { isArchived = chat.settings.isArchived === true, archivedSeq } = body;
  if (!isArchived || archivedSeq === undefined || !chat.last || chat.last.isOwn) return isArchived;
  const isLater = chat.last.seq > archivedSeq;
  return !(isLater && Date.parse(chat.time ?? '') > mutedUntil);
}

function omitUndefined(body: ChatSettingsBody): ChatSettingsBody {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
