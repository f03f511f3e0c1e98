import type { Announcer } from '../announcer.ts';
import { ApiError } from '../api/client.ts';
import type { ClientCore } from '../client-core.ts';
import type { IncomingMessage } from '../notification-arbiter.ts';
import type { NotificationPreferences } from '../notification-preferences.ts';
import type { Chat } from '../stores/chat-list.ts';
import type { ChatroomLoader } from './chatroom-loader.ts';
import { findMissedMessages } from './missed-messages.ts';

/**
 * Fetches missed changes, also without a chat list if that fails. Rejects with an `ApiError`.
 * @param isPoll whether there is no live connection, so that only a response shows that the server is there
 */
export type Resync = (isPoll: boolean) => Promise<void>;

interface ClientResyncDeps extends ClientCore {
  chatroomLoader: ChatroomLoader;
  announcer: Announcer;
  notificationPreferences: NotificationPreferences;
}

/** Loads the chat list, and returns a function that fetches the changes missed while disconnected. */
export function createClientResync(deps: ClientResyncDeps): Resync {
  const { api, username, stores, chatList, events, signal } = deps;
  const { chats } = stores;
  // Messages after this list count as new, even while the client is still connecting.
  const firstList = chatList.load().catch(() => undefined);
  let isReconnect = false;
  // Retained across retries, in case the chatrooms fail to resync at first.
  const missed: IncomingMessage[] = [];
  /** The list that was last searched for missed messages. */
  let compared: readonly Chat[] = [];

  // Settings and the email address may have changed on another device during the disconnection.
  async function refreshUser(): Promise<void> {
    const user = await api.call('getCurrentUser');
    if (user.username !== username) return;
    const { username: _name, usermail, newUsermail, dateOfRegistration: _date, ...settings } = user;
    events.onSettings?.(settings);
    events.onEmail?.({ usermail, ...(newUsermail !== undefined && { newUsermail }) });
  }

  return async (isPoll) => {
    await firstList;
    // Before missed messages are announced, as it may be quiet now. If they cannot be loaded, the known ones stay.
    const preferences = deps.notificationPreferences.load().catch(() => undefined);
    if (isReconnect) refreshUser().catch(() => undefined);
    isReconnect = true;
    const before = chats.getState();
    const comparedBefore = compared;
    try {
      await chatList.load();
      // This runs before the chatrooms resync, because a resync can mark new messages as read.
      if (before.status === 'ready' && !before.isFromCopy) {
        // Another resync may have found some of them since then.
        const known = compared === comparedBefore ? before.chats : compared;
        compared = chats.getState().chats;
        missed.push(...findMissedMessages(known, compared));
      }
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const isLost = isPoll && (code === 'offline' || code === 'unreadable');
      if (signal.aborted || code === 'unauthenticated' || isLost) throw error;
      // Without a list, the chatrooms still receive live events.
      chatList.request();
    }
    await Promise.all([deps.chatroomLoader.resync(), preferences]);
    missed.splice(0).forEach(deps.announcer.announce);
  };
}
