import { isNumber } from '../../api/responses.ts';
import { toChat, withoutMessages } from '../../stores/chat-list.ts';
import { withChatroomRead, withoutCleared } from '../../stores/loaded-chatroom.ts';
import { PLACES_LANE } from './chat-settings.ts';
import { defineChange } from './change.ts';

/** Deletes a chat for the user, up to the newest message that the user knew. */
export const chatDeletion = defineChange<{ seq: number }>('chat-deletion', {
  what: 'deleting a chat',
  isIndependent: true,
  fields: { seq: isNumber },
  target: (chatroomId) => chatroomId,
  // After a pin that is on its way, which would otherwise outlast it.
  lane: () => PLACES_LANE,
  send: async ({ api, applyChat }, id, { seq }) => {
    const { chat } = await api.call('deleteChat', { params: { id }, body: { seq } });
    applyChat(toChat(chat));
  },
  applyToChat: (chat, { seq }) => withoutMessages(chat, seq),
  applyToChatroom: (room, { seq }, hasUnsent) => {
    const cleared = withoutCleared(room, { clearedSeq: seq, ownClearedSeq: seq });
    // Without later messages, the chat is not listed.
    if (cleared.messages.length === 0 && !hasUnsent) return undefined;
    const readSeq = room.status === 'accepted' ? seq : room.readSeq;
    return withChatroomRead(cleared, readSeq, room.unread);
  },
});
