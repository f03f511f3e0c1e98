import { isNumber, isText } from '../../api/responses.ts';
import { isInChatList, type Chat } from '../../stores/chat-list.ts';
import { findChat } from '../../stores/chats.ts';
import { withChangedMessage, withMessage } from '../../stores/loaded-chatroom.ts';
import { findLoadedChatroom } from '../../stores/loaded-chatrooms.ts';
import { selectDraft } from '../drafts.ts';
import { defineChange, keepInChat } from './change.ts';

/** Another text of a message. */
interface Edit {
  messageId: string;
  seq: number;
  content: string;
  /** When the user edited the message, ISO 8601. */
  updatedAt: string;
}

/** Edits the text of a message. */
export const edit = defineChange<Edit>('edit', {
  what: 'editing a message',
  fields: { messageId: isText, seq: isNumber, content: isText, updatedAt: isText },
  target: (_chatroomId, { messageId }) => messageId,
  lane: (_chatroomId, { messageId }) => `message:${messageId}`,
  send: async ({ api, stores }, chatroomId, value) => {
    const { messageId, content } = value;
    const message = await api.call('editMessage', { body: { messageId, content } });
    stores.rooms.getState().update(chatroomId, (room) => withMessage(room, message, false).room);
    keepInChat(stores, chatroomId, (chat) =>
      chat.rev < message.rev ? withText(chat, value) : chat,
    );
  },
  // The user decides what to do with the text, which is unfinished again.
  onRefused: async ({ stores }, chatroomId, { messageId, seq, content: text }) => {
    const chat = findChat(stores.chats.getState(), chatroomId);
    // Everything unsent to a blocked partner is discarded.
    if (chat && !isInChatList(chat)) return;
    const room = findLoadedChatroom(stores.rooms.getState(), chatroomId);
    const original = room?.messages.find(({ _id }) => _id === messageId)?.content;
    const { drafts, change, append } = stores.drafts.getState();
    const { editing, text: written } = selectDraft({ drafts }, chatroomId);
    // What the user is writing meanwhile stays in the text box. An edit of this message began with the text.
    const isWriting = editing ? editing.messageId !== messageId : written !== '';
    if (isWriting || original === undefined) await append(chatroomId, text);
    else change(chatroomId, { editing: { messageId, seq, text, ...editing, original } });
  },
  applyToChat: withText,
  applyToChatroom: (room, { messageId, content, updatedAt }) =>
    withChangedMessage(room, messageId, (message) =>
      message.content === content ? message : { ...message, content, updatedAt },
    ),
});

function withText(chat: Chat, { seq, content }: Edit): Chat {
  return chat.last?.seq === seq ? { ...chat, last: { ...chat.last, content } } : chat;
}
