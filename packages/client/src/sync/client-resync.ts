import { ApiError, type ApiClient } from '../api/client.ts';
import type { ClientEvents } from '../client-events.ts';
import type { ClientStores } from '../client-stores.ts';
import type { IncomingMessage } from '../notification-arbiter.ts';
import type { Chat } from '../stores/chat-list.ts';
import type { ChatListLoader } from './chat-list-loader.ts';
import { findMissedMessages } from './missed-messages.ts';

/**
 * Fetches missed changes, also without a chat list if that fails. Rejects with an `ApiError`.
 * @param isPoll whether there is no live connection, so that only a response shows that the server is there
 */
export type Resync = (isPoll: boolean) => Promise<void>;

interface ClientResyncDeps {
  api: ApiClient;
  username: string;
  stores: Pick<ClientStores, 'chats'>;
  chatList: Pick<ChatListLoader, 'load' | 'request'>;
  events: Partial<Pick<ClientEvents, 'onSettings'>>;
  signal: AbortSignal;
  /** Resyncs the chatrooms in memory. */
  resyncChatrooms: () => Promise<void>;
  announce: (incoming: IncomingMessage) => void;
  loadNotificationPreferences: () => Promise<unknown>;
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

  /** Records messages of the current list that are not in the one before, nor found by another resync since then. */
  function recordMissed(before: readonly Chat[], comparedBefore: readonly Chat[]): void {
    const known = compared === comparedBefore ? before : compared;
    compared = chats.getState().chats;
    missed.push(...findMissedMessages(known, compared));
  }

  // Settings may have changed on another device during the disconnection.
  async function refreshSettings(): Promise<void> {
    const user = await api.call('getCurrentUser');
    if (user.username !== username) return;
    const { username: _name, usermail: _mail, dateOfRegistration: _date, ...settings } = user;
    events.onSettings?.(settings);
  }

  /** Returns false, as there is no list, unless the session has ended or the server did not respond to a poll. */
  function retryListLater(error: unknown, isPoll: boolean): false {
    const code = error instanceof ApiError ? error.code : undefined;
    const isLost = isPoll && (code === 'offline' || code === 'unreadable');
    if (signal.aborted || code === 'unauthenticated' || isLost) throw error;
    chatList.request();
    return false;
  }

  return async (isPoll) => {
    await firstList;
    // Before missed messages are announced, as it may be quiet now. If they cannot be loaded, the known ones stay.
    const preferences = deps.loadNotificationPreferences().catch(() => undefined);
    if (isReconnect) refreshSettings().catch(() => undefined);
    isReconnect = true;
    const before = chats.getState();
    const comparedBefore = compared;
    // Without a list, the chatrooms still receive live events.
    const hasList = await chatList.load().then(
      () => true,
      (error: unknown) => retryListLater(error, isPoll),
    );
    // This runs before the chatrooms resync, because a resync can mark new messages as read.
    if (hasList && before.status === 'ready' && !before.isFromCopy) {
      recordMissed(before.chats, comparedBefore);
    }
    await Promise.all([deps.resyncChatrooms(), preferences]);
    missed.splice(0).forEach(deps.announce);
  };
}
