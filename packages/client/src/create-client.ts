import {
  cleanText,
  type CurrentUser,
  type Message,
  type PublicConfig,
  type SessionEndReason,
} from '@parley/contract';
import { fetchCurrentUser } from './api/validated-calls.ts';
import { ApiError, createOtherUserError, type ApiClient } from './api/client.ts';
import { createNotificationArbiter, type IncomingMessage } from './notification-arbiter.ts';
import { createOfflineCopy, type StoredStartData } from './offline-copy/offline-copy.ts';
import { isPending, type OutboxEntry } from './outbox/outbox-entry.ts';
import { createOutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type OutboxActions } from './outbox/outbox.ts';
import type { Platform } from './platform.ts';
import { createRoomActions, applyRead, type RoomActions } from './room-actions.ts';
import { openUserStorage } from './storage/open-storage.ts';
import { shouldEraseEverything } from './storage/user-storage.ts';
import { trackServerContact } from './storage/track-server-contact.ts';
import { createClientStores, type ClientStores } from './stores/client-stores.ts';
import { isPartnerDeleted, withMessage } from './stores/room.ts';
import { findLoadedRoom } from './stores/rooms.ts';
import { createChatListLoader } from './sync/chat-list-loader.ts';
import { createEventHandlers, addToList } from './sync/event-handlers.ts';
import { createRevTracker } from './sync/rev-tracker.ts';
import { startLiveConnection } from './sync/live-connection.ts';
import { findMissedMessages } from './sync/missed-messages.ts';
import { createReadSender } from './sync/read-sender.ts';
import { createRoomLoader } from './sync/room-loader.ts';
import { openSocket, type OpenSocket } from './sync/socket.ts';
import { watchServerVersion } from './sync/watch-server-version.ts';
import { DEFAULT_TIMING, type ClientTiming } from './timing.ts';

/** The chats of a signed-in session: their state and the user's actions. */
export interface Client extends RoomActions, OutboxActions, ClientStores {
  readonly api: ApiClient;
  /** Name of the signed-in user. */
  readonly username: string;
  /** Aborted once the client is disposed of. */
  readonly signal: AbortSignal;
  /** Refetches the chat list. The store shows the outcome. */
  readonly reloadChats: () => void;
  /** Connects now instead of after the backoff. */
  readonly reconnect: () => void;
  /** Reconnects even if the connection looks alive, for example after the device slept. */
  readonly renewConnection: () => void;
  /** Stores the data that the app needs to start without a connection. */
  readonly saveStartData: (startData: StoredStartData) => void;
  /** Turns the offline copy on or off. Turning it off erases it. */
  readonly setOfflineCopyEnabled: (isOfflineCopyEnabled: boolean) => void;
  /**
   * Disconnects and stops everything. Stored data stays on this device for the next start, unless
   * the session `ended` for a reason that erases it.
   */
  readonly dispose: (options?: { ended?: SessionEndReason | undefined }) => void;
}

/** Events of a client. */
export interface ClientEvents {
  onSessionEnded: (reason: SessionEndReason) => void;
  /** Called with the settings that the user changed on another device. */
  onSettings: (changed: Partial<Pick<CurrentUser, 'language' | 'volume'>>) => void;
  /** Called for each new message of another user, received live or found after a reconnect. */
  onIncoming: (incoming: IncomingMessage) => void;
  /** Called for a new message that the user does not see, in one tab only. */
  onUnseen: (incoming: IncomingMessage) => void;
  /** Called when the server has stored a message sent from this tab. */
  onSent: () => void;
  /**
   * Called when an entry is no longer retried: the server refused a message, or a file or first
   * message failed and became a draft again. With code `partner_deleted`, all of the chatroom's
   * unsent files of that kind are discarded.
   */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  onMarkReadFailed: () => void;
  /** Called when the server is back with a version that this client does not support. */
  onVersionMismatch: (config: PublicConfig) => void;
}

/** Dependencies and options of `createClient`. */
export interface ClientDeps {
  /** The server's API with the user's session. */
  api: ApiClient;
  /** Name of the signed-in user. */
  username: string;
  /**
   * When the user registered. Without it, stored data of a deleted account with the same name is
   * not recognized as another user's.
   */
  registeredAt?: string;
  platform: Platform;
  /** Whether to keep an offline copy. Defaults to true. */
  isOfflineCopyEnabled?: boolean;
  events?: Partial<ClientEvents>;
  /** Defaults to `DEFAULT_TIMING`. */
  timing?: ClientTiming;
  /** Defaults to a Socket.IO connection. */
  openSocket?: OpenSocket;
}

/**
 * Creates the client of a signed-in session, which connects and keeps its stores current until it
 * is disposed of.
 */
export function createClient(deps: ClientDeps): Client {
  const { username, registeredAt, platform, events = {}, timing = DEFAULT_TIMING } = deps;
  const opened = openUserStorage(platform, { username, registeredAt });
  const outboxStore = createOutboxStore({
    platform,
    username,
    opened,
    onRead: () => {
      if (outbox.getState().entries.some(isPending)) sending.flush();
    },
  });
  const outbox = outboxStore.store;
  const stores: ClientStores = { ...createClientStores(platform, username, opened), outbox };
  const { rooms, chats, drafts, connection, view } = stores;
  const disposing = new AbortController();
  const api = createAbortableApi(disposing.signal, deps.api);
  const revTracker = createRevTracker(chats);
  const onSessionEnded = (reason: SessionEndReason): void => events.onSessionEnded?.(reason);
  const onOtherUser = (): void => onSessionEnded('expired');
  const chatList = createChatListLoader({ api, chats, username, onOtherUser, timing });
  const isEnabled = deps.isOfflineCopyEnabled ?? true;
  const copy = createOfflineCopy({ opened, stores, platform, isEnabled, timing });
  const contact = trackServerContact(connection, opened);

  const arbiter = createNotificationArbiter({
    platform,
    // The user sees a message immediately at the bottom of an open chatroom.
    isSeen: ({ chatroom }) => {
      const { chatroomId, isAtBottom } = view.getState();
      return chatroomId === chatroom && isAtBottom && platform.isFocused();
    },
    onUnseen: (incoming) => events.onUnseen?.(incoming),
  });
  const announce = (incoming: IncomingMessage): void => {
    events.onIncoming?.(incoming);
    arbiter.announce(incoming);
  };
  const readSender = createReadSender({
    api,
    onConfirmed: (chatroomId, seq, { readSeq, unreadMessagesCount }) => {
      const room = findLoadedRoom(rooms.getState(), chatroomId);
      // Newer messages are already included in the local count.
      if (room && room.readSeq <= readSeq && room.messages.at(-1)?.seq === seq) {
        applyRead(stores, chatList, chatroomId, readSeq, unreadMessagesCount);
      }
    },
    onFailed: (error, isTemporary) => {
      if (!(error instanceof ApiError) || error.code !== 'offline') events.onMarkReadFailed?.();
      if (!isTemporary) chatList.request();
    },
    timing,
  });
  const roomLoader = createRoomLoader({
    api,
    stores,
    chatList,
    copy,
    sendRead: readSender.send,
    getLatestRev: revTracker.getLatest,
    signal: disposing.signal,
    timing,
  });
  const actions = createRoomActions({
    api,
    stores,
    chatList,
    roomLoader,
    sendRead: readSender.send,
  });
  const handlers = createEventHandlers({
    stores,
    username,
    chatList,
    recordRev: revTracker.record,
    updateStoredRoom: copy.updateRoom,
    onGap: roomLoader.requestResync,
    onIncoming: ({ _id: key, chatroom, sender, kind, content }) => {
      announce({ key, chatroom, name: sender.username, kind, content });
    },
    onSettings: (changed) => events.onSettings?.(changed),
  });

  function applySentMessage(message: Message): void {
    rooms.getState().update(message.chatroom, (room) => withMessage(room, message, false).room);
    addToList(chats, message, true, chatList);
  }

  const sending = createOutbox({
    api,
    outbox: outboxStore,
    platform,
    signal: disposing.signal,
    confirmUser: async () => {
      // While online, the live connection reports the end of the session.
      if (connection.getState().status === 'online') return;
      const user = await fetchCurrentUser(api);
      if (user.username === username) return;
      onOtherUser();
      throw createOtherUserError();
    },
    hasConnection: () => {
      const { status } = connection.getState();
      return platform.isOnline() && (status === 'online' || status === 'connecting');
    },
    isPartnerDeleted: (chatroomId) => {
      const room = findLoadedRoom(rooms.getState(), chatroomId);
      return room !== undefined && isPartnerDeleted(room);
    },
    onSent: (message) => {
      applySentMessage(message);
      events.onSent?.();
    },
    onRefused: (entry, error) => events.onSendRefused?.(entry, error),
    timing,
  });

  outbox.subscribe(({ created }, before) => {
    if (created === before.created) return;
    chatList.request();
    const { drafts: texts, setDraft } = drafts.getState();
    for (const { partnerName, content } of Object.values(created)) {
      const key = `new:${partnerName}`;
      if (cleanText(texts[key] ?? '') === content) setDraft(key, '');
    }
  });

  // Messages after this list count as new, even while the client is still connecting.
  const firstList = chatList.load().catch(() => undefined);

  let isReconnect = false;

  // Settings may have changed on another device during the disconnection.
  async function refreshSettings(): Promise<void> {
    const { username: name, language, volume } = await fetchCurrentUser(api);
    if (name === username) events.onSettings?.({ language, volume });
  }

  // Retained across retries, in case the chatrooms fail to resync at first.
  const missed: IncomingMessage[] = [];

  const live = startLiveConnection({
    platform,
    connection,
    socket: (deps.openSocket ?? openSocket)(api.origin, platform.socketHeaders?.(), timing),
    handlers,
    resync: async () => {
      await firstList;
      if (isReconnect) refreshSettings().catch(() => undefined);
      isReconnect = true;
      const before = chats.getState();
      // Read positions go first. Otherwise the list shows read messages as unread again.
      await readSender.flush();
      await chatList.load();
      // This runs before the chatrooms resync, because a resync can mark new messages as read.
      if (before.status === 'ready' && !before.isFromCopy) {
        missed.push(...findMissedMessages(before.chats, chats.getState().chats));
      }
      await roomLoader.resync();
      missed.splice(0).forEach(announce);
    },
    onLive: () => {
      sending.flush();
      copy.resync(api).catch(() => undefined);
      reopenView();
    },
    // If the session is over, the 401 response signs the user out.
    onRefused: () => {
      if (platform.isOnline()) fetchCurrentUser(api).catch(() => undefined);
    },
    onSessionEnded,
    timing,
  });

  // Reloads an open chatroom that failed to load while disconnected.
  function reopenView(): void {
    const { chatroomId } = view.getState();
    if (chatroomId === undefined) return;
    if (rooms.getState().rooms[chatroomId]?.status === 'error') void actions.open(chatroomId);
  }

  const stopWatchingVersion = watchServerVersion(api, connection, (config) =>
    events.onVersionMismatch?.(config),
  );

  // Another tab erased the storage because the session has ended.
  async function watchErasure(): Promise<void> {
    (await opened)?.onErased((reason) => {
      if (!disposing.signal.aborted) onSessionEnded(reason);
    });
  }
  void watchErasure();

  async function closeStorage(ended: SessionEndReason | undefined): Promise<void> {
    await copy.stop({ isErasing: ended !== undefined && ended !== 'expired' });
    const storage = await opened;
    try {
      if (ended) await storage?.eraseAfterSession(ended);
    } catch (error) {
      platform.logFailure('erasing the storage', error);
    }
    storage?.close();
  }

  return {
    ...stores,
    ...actions,
    ...sending.actions,
    api,
    username,
    signal: disposing.signal,
    reloadChats: () => {
      chatList.load().catch(() => undefined);
    },
    reconnect: live.retry,
    renewConnection: live.renew,
    saveStartData: copy.saveStartData,
    setOfflineCopyEnabled: copy.setEnabled,
    dispose: ({ ended } = {}) => {
      disposing.abort();
      stopWatchingVersion();
      live.stop();
      readSender.stop();
      chatList.stop();
      arbiter.stop();
      outboxStore.stop();
      contact.stop();
      if (ended && shouldEraseEverything(ended)) {
        void outboxStore.erase();
        void drafts.getState().erase();
      }
      void closeStorage(ended);
    },
  };
}

/**
 * Returns an API that rejects calls once the signal is aborted, because the session may then belong
 * to another user.
 */
function createAbortableApi(signal: AbortSignal, api: ApiClient): ApiClient {
  return {
    origin: api.origin,
    checkUser: () => {
      signal.throwIfAborted();
      api.checkUser();
    },
    call: async (name, ...args) => {
      signal.throwIfAborted();
      return api.call(name, ...args);
    },
    callIfChanged: async (name, etag, ...args) => {
      signal.throwIfAborted();
      return api.callIfChanged(name, etag, ...args);
    },
  };
}
