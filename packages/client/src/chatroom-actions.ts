import type { Message } from '@parley/contract';
import { createJumps, type Jumps } from './jumps.ts';
import type { ClientCore } from './client-core.ts';
import type { NewChange } from './outbox/changes/change.ts';
import { chatStatus, type ChatDecision } from './outbox/changes/chat-status.ts';
import { deletion } from './outbox/changes/deletion.ts';
import { edit } from './outbox/changes/edit.ts';
import { reaction } from './outbox/changes/reaction.ts';
import { readPosition } from './outbox/changes/read-position.ts';
import type { UnfinishedEdit } from './outbox/drafts.ts';
import type { ShownChatroom } from './shown/shown-chatrooms.ts';
import { withOnlyNear } from './stores/message-window.ts';
import { quoteOf } from './stores/quotes.ts';
import { hasBecomeReachable } from './stores/connection.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import type { ChatroomLoader } from './sync/chatroom-loader.ts';

/** What identifies a message and its place. */
export type MessageIdentity = Pick<Message, '_id' | 'chatroom' | 'seq'>;

/** The user's actions in a chatroom. Changes are shown immediately and sent as soon as possible. */
export interface ChatroomActions extends Jumps {
  /** Loads a chatroom unless it is already loaded. The store shows the outcome. */
  open: (chatroomId: string) => Promise<void>;
  /** Releases messages of a chatroom that the user leaves, except the newest and those at the reading position. */
  leave: (chatroomId: string) => void;
  /** Marks all loaded messages as read. Does nothing while detached messages are shown. */
  markRead: (chatroomId: string) => void;
  /** Begins an edit of a text message of the user, unless it has begun. */
  startEdit: (message: Message) => void;
  /** Begins a reply to a message. */
  startReply: (message: Message) => void;
  /** Edits a text message of the user. */
  edit: (message: MessageIdentity, content: string) => void;
  /** Deletes a message of the user, and what the user has begun to edit of it. */
  remove: (message: MessageIdentity) => void;
  /** Adds a reaction of the user to a message, or takes it back. */
  react: (message: Message, emoji: string, isOn: boolean) => void;
  /** Accepts a partner who has written first. */
  accept: (chatroomId: string) => void;
  /** Deletes for the user what a partner wrote who is not accepted. */
  decline: (chatroomId: string) => void;
  /** Blocks the partner, which removes the chat, and everything unsent in it once the server has confirmed it. */
  block: (chatroomId: string) => void;
  unblock: (chatroomId: string) => void;
}

interface ChatroomActionsDeps extends Pick<ClientCore, 'api' | 'stores' | 'signal'> {
  chatroomLoader: Pick<ChatroomLoader, 'open'>;
  /** Makes a change of the user. */
  change: (change: NewChange) => void;
}

/** Creates the actions. */
export function createChatroomActions(deps: ChatroomActionsDeps): ChatroomActions {
  const { api, stores, signal, chatroomLoader, change } = deps;
  const { rooms, shown, readingPositions, quotes, connection } = stores;
  const { change: changeDraft } = stores.drafts.getState();
  /** Up to where chatrooms were marked as read since the last connection. A refused position is not sent again and again. */
  const marked = new Map<string, number>();
  connection.subscribe((now, before) => {
    if (hasBecomeReachable(now, before)) marked.clear();
  });

  const findShown = (chatroomId: string): ShownChatroom | undefined =>
    findLoadedChatroom(shown.rooms.getState(), chatroomId);
  const decide = (chatroomId: string, decision: ChatDecision): void =>
    change(chatStatus.create(chatroomId, { decision }));

  const endEdit = (chatroomId: string, isOver: (editing: UnfinishedEdit) => boolean): void =>
    changeDraft(chatroomId, ({ editing }) =>
      editing && isOver(editing) ? { editing: undefined } : {},
    );

  const jumps = createJumps(api, stores, signal);

  return {
    ...jumps,
    open: chatroomLoader.open,
    leave: (chatroomId) => {
      jumps.cancelJump(chatroomId);
      // Nothing is lost with an edit that changes nothing.
      endEdit(chatroomId, ({ text, original }) => text === original);
      const left = readingPositions.getState().positions.get(chatroomId);
      const { unread = 0, readSeq = 0 } = findShown(chatroomId) ?? {};
      rooms
        .getState()
        .update(chatroomId, (room) => withOnlyNear(room, unread > 0 ? readSeq + 1 : left?.seq));
    },
    markRead: (chatroomId) => {
      const room = findShown(chatroomId);
      const seq = room?.messages.at(-1)?.seq ?? 0;
      if (!room || room.detached) return;
      if (seq <= Math.max(room.readSeq, marked.get(chatroomId) ?? 0)) return;
      marked.set(chatroomId, seq);
      change(readPosition.create(chatroomId, { seq }));
    },
    startEdit: ({ _id: messageId, chatroom, seq, content }) =>
      changeDraft(chatroom, ({ editing }) =>
        editing?.messageId === messageId
          ? {}
          : { editing: { messageId, seq, original: content, text: content } },
      ),
    startReply: (message) => {
      const replyTo = quoteOf(message);
      quotes.getState().remember(replyTo);
      changeDraft(message.chatroom, { replyTo, editing: undefined });
    },
    edit: ({ _id: messageId, chatroom, seq }, content) => {
      const updatedAt = new Date().toISOString();
      change(edit.create(chatroom, { messageId, seq, content, updatedAt }));
    },
    remove: ({ _id: messageId, chatroom, seq }) => {
      const room = findShown(chatroom);
      const last = room?.messages.findLast((each) => each.seq < seq);
      const before = last && {
        content: last.content,
        kind: last.kind,
        isOwn: last.sender.username === room?.currentUsername,
        seq: last.seq,
      };
      change(deletion.create(chatroom, { messageId, seq, before: before ?? null }));
      endEdit(chatroom, (editing) => editing.messageId === messageId);
    },
    react: ({ _id: messageId, chatroom }, emoji, isOn) =>
      change(reaction.create(chatroom, { messageId, emoji, isOn })),
    accept: (chatroomId) => decide(chatroomId, 'accept'),
    decline: (chatroomId) => decide(chatroomId, 'decline'),
    block: (chatroomId) => decide(chatroomId, 'block'),
    unblock: (chatroomId) => decide(chatroomId, 'unblock'),
  };
}
