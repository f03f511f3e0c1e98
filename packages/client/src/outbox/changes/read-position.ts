import { isNumber } from '../../api/responses.ts';
import { toChat, withRead } from '../../stores/chat-list.ts';
import { withChatroomRead } from '../../stores/loaded-chatroom.ts';
import { defineChange } from './change.ts';

/** Marks the messages of a chat as read up to a `seq`. */
export const readPosition = defineChange<{ seq: number }>('read', {
  what: 'marking messages as read',
  isPatient: true,
  fields: { seq: isNumber },
  target: (chatroomId) => chatroomId,
  goesBeyond: ({ seq }, other) => seq > other.seq,
  send: async ({ api, applyChat }, id, { seq }) => {
    const { chat } = await api.call('markAsRead', { params: { id }, body: { seq } });
    applyChat(toChat(chat));
  },
  applyToChat: (chat, { seq }) => withRead(chat, seq),
  applyToChatroom: (room, { seq }) => {
    if (seq <= room.readSeq) return room;
    const later = Math.max(0, (room.messages.at(-1)?.seq ?? 0) - seq);
    return withChatroomRead(room, seq, Math.min(room.unread, later));
  },
});
