import type { LastReaction, Message } from '@parley/contract';
import type { ClientCore } from './client-core.ts';
import { isHiddenByDecision } from './outbox/changes/change-types.ts';
import { createNotificationArbiter, type IncomingMessage } from './notification-arbiter.ts';
import { findListed, type ListedChat } from './shown/listed-chat.ts';
import type { NotificationPreferences } from './notification-preferences.ts';
import type { Chat } from './stores/chat-list.ts';
import { currentQuietness } from './stores/notification-settings.ts';

/** Announces what other users send, unless the user wants it to be quiet. */
export interface Announcer {
  /** Announces a message that was found after a reconnect. */
  announce: (incoming: IncomingMessage) => void;
  /** Announces a message that was received live, unless it or a later one was announced before. */
  announceMessage: (message: Message, isRequest: boolean) => void;
  /** Announces a reaction of the partner in a chatroom that was received live. */
  announceReaction: (chatroomId: string, reaction: LastReaction) => void;
  /** Announces that the partner in a chat has accepted an invitation of the user, once. */
  announceInvitation: (chat: Chat) => void;
}

function toIncomingInvitation({ id, names, invitationAcceptedAt: at }: Chat): IncomingMessage {
  const key = `${id}:invitation:${at ?? ''}`;
  return {
    key,
    chatroomId: id,
    name: names.join(', '),
    kind: 'text',
    content: '',
    isInvitation: true,
  };
}

/**
 * Calls `onIncoming` and `onReaction` for messages and reactions of other users, and `onUnseen` in one tab for
 * unseen ones. A muted chat causes no alerts, and is reported only while it is open; so are all chats while the
 * user wants it to be quiet.
 */
export function createAnnouncer(
  { platform, stores, events, signal }: ClientCore,
  preferences: Pick<NotificationPreferences, 'load'>,
): Announcer {
  /** The `seq` of the latest message of each chat that was announced. */
  const announcedSeqs = new Map<string, number>();
  /** Keys of the accepted invitations that were announced. */
  const told = new Set<string>();
  const findChat = (chatroomId: string): ListedChat | undefined =>
    findListed(stores.shown.chats.getState(), chatroomId);
  const announceUnseen = createNotificationArbiter({
    platform,
    signal,
    // The user sees a message immediately at the bottom of an open chatroom.
    isSeen: ({ chatroomId }) => {
      const view = stores.view.getState();
      return view.chatroomId === chatroomId && view.isAtBottom && platform.isFocused();
    },
    isRead: ({ chatroomId, seq, reaction, isRequest, isInvitation }) => {
      const chat = findChat(chatroomId);
      if (isInvitation) return chat !== undefined && !chat.isMarkedUnread;
      if (seq === undefined || reaction !== undefined || isRequest) return false;
      return chat?.unread === 0 && (chat.last?.seq ?? 0) >= seq;
    },
    onUnseen: (incoming) => events.onUnseen?.(incoming),
  });

  function announce(incoming: IncomingMessage): void {
    const { chatroomId, seq, reaction, isInvitation } = incoming;
    if (seq) announcedSeqs.set(chatroomId, seq);
    if (isHiddenByDecision(stores.outbox.getState().changes, chatroomId)) return;
    const chat = findChat(chatroomId);
    const quietness = currentQuietness(stores.notificationSettings.getState());
    // Only a message takes a chat out of the archive.
    const isMessage = reaction === undefined && !isInvitation;
    const isQuiet =
      quietness === 'all' || chat?.isMuted === true || (!isMessage && chat?.isArchived === true);
    const isOpen = stores.view.getState().chatroomId === chatroomId;
    if (!isQuiet || isOpen) {
      if (reaction === undefined) events.onIncoming?.(incoming);
      else events.onReaction?.(incoming);
    }
    if (!isQuiet) announceUnseen({ ...incoming, ...(quietness === 'sound' && { isSilent: true }) });
  }

  return {
    announce,
    announceMessage: (message, isRequest) => {
      const { _id, chatroom: chatroomId, albumId, sender, kind, content, seq } = message;
      // A resync may have found it.
      if (seq <= (announcedSeqs.get(chatroomId) ?? 0)) return;
      // The messages of an album notify the user only once.
      const key = albumId === undefined ? _id : `${chatroomId}:${albumId}`;
      const incoming = { key, chatroomId, name: sender.username, kind, content, seq };
      announce({ ...incoming, ...(isRequest && { isRequest }) });
    },
    announceReaction: (chatroomId, { messageId, emoji, kind, content }) => {
      const name = findChat(chatroomId)?.names[0];
      if (name === undefined) return;
      const key = `${messageId}:${emoji}`;
      announce({ key, chatroomId, name, kind, content, reaction: emoji });
    },
    announceInvitation: (chat) => {
      const incoming = toIncomingInvitation(chat);
      if (told.has(incoming.key)) return;
      told.add(incoming.key);
      // The first response after a reconnect may tell of it, and it may be quiet now.
      const tell = (): void => announce(incoming);
      void preferences.load().then(tell, tell);
    },
  };
}
