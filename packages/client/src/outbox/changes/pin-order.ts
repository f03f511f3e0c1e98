import { isText, listOf } from '../../api/responses.ts';
import { toChat, withSettings, type Chat } from '../../stores/chat-list.ts';
import { PLACES_LANE } from './chat-settings.ts';
import { defineChange } from './change.ts';

interface PinOrder {
  /** The ids of the pinned chats, first one first. */
  readonly chats: readonly string[];
}

/** Sorts the pinned chats. */
export const pinOrder = defineChange<PinOrder>('pin-order', {
  what: 'sorting the pinned chats',
  // It belongs to no chat.
  isIndependent: true,
  isAboutAllChats: true,
  fields: { chats: listOf(isText) },
  target: () => 'list',
  // After the pins that were made before.
  lane: () => PLACES_LANE,
  send: async ({ api, applyChat }, _chatroomId, { chats: ids }) => {
    const { chats } = await api.call('orderPinnedChats', { body: { chats: [...ids] } });
    for (const chat of chats) applyChat(toChat(chat));
  },
  applyToChat: withPlace,
});

/** Below chats that are not sorted, as another device has pinned them, whose ranks are positive. */
function withPlace(chat: Chat, { chats }: PinOrder): Chat {
  const place = chats.indexOf(chat.id);
  if (place < 0 || !chat.isPinned) return chat;
  return withSettings(chat, { ...chat.settings, pinRank: -place });
}
