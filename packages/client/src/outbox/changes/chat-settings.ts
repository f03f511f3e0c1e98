import type { ChatSettings, ChatSettingsBody } from '@parley/contract';
import { isNumber, isOptionalBoolean, isText, optional } from '../../api/responses.ts';
import { muteEnd, toChat, withSettings, type Chat } from '../../stores/chat-list.ts';
import { defineChange, type Change } from './change.ts';

/** The settings of a chat to change. */
interface ChatSettingsChange extends ChatSettingsBody {
  /** Place of a chat that is pinned, as shown until the server has decided about it. Not sent. */
  readonly pinRank?: number;
}

/** The lane of pins and their order. */
export const PLACES_LANE = 'places';

/** Changes settings of a chat: its place in the list, which is pinned or archived; its mute; its mark as unread. */
export const chatSettingsChange = defineChange<ChatSettingsChange>('chat-settings', {
  what: 'changing the settings of a chat',
  fields: {
    isPinned: isOptionalBoolean,
    pinRank: optional(isNumber),
    isArchived: isOptionalBoolean,
    archivedSeq: (seq) => seq === undefined || isNumber(seq),
    mutedUntil: (time) => time === undefined || time === null || isText(time),
    isMarkedUnread: isOptionalBoolean,
  },
  target: (chatroomId, { isMarkedUnread, mutedUntil }) => {
    if (isMarkedUnread !== undefined) return `${chatroomId}:mark`;
    return `${chatroomId}:${mutedUntil === undefined ? 'place' : 'mute'}`;
  },
  // The number of pinned chats is limited, so unpinning one must come before pinning another.
  lane: (chatroomId, { isPinned }) =>
    isPinned === undefined ? `settings:${chatroomId}` : PLACES_LANE,
  send: async ({ api, applyChat }, id, { pinRank: _shown, ...body }) => {
    const { chat } = await api.call('changeChatSettings', { params: { id }, body });
    applyChat(toChat(chat));
  },
  applyToChat: withBody,
});

/** Returns whether a change mutes a chat, or ends that. */
export function isMute({ key }: Change): boolean {
  return key.startsWith('chat-settings:') && key.endsWith(':mute');
}

function withBody(chat: Chat, body: ChatSettingsChange): Chat {
  const { settings: before } = chat;
  const { mutedUntil, isPinned, pinRank, isMarkedUnread } = {
    ...before,
    ...omitUndefined(body),
    // A chat that is pinned already keeps its place.
    ...(before.isPinned && { pinRank: before.pinRank }),
  };
  const muted = typeof mutedUntil === 'string' ? { mutedUntil } : {};
  const settings: ChatSettings = {
    ...(isPinned && { isPinned, pinRank }),
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

function omitUndefined(body: ChatSettingsChange): ChatSettingsChange {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
