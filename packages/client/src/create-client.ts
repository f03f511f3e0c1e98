import {
  cleanText,
  type CurrentUser,
  type Message,
  type PublicConfig,
  type SessionEndReason,
} from '@parley/contract';
import { fetchCurrentUser } from './api/accounts.ts';
import { ApiError, createOtherUserError, type ApiClient } from './api/client.ts';
import { createNotificationArbiter, type IncomingMessage } from './notification-arbiter.ts';
import { createOfflineCopy, type StoredStartFacts } from './offline-copy/offline-copy.ts';
import { isPending, type OutboxEntry } from './outbox/outbox-entry.ts';
import { createOutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type OutboxActions } from './outbox/outbox.ts';
import type { Platform } from './platform.ts';
import { createRoomActions, applyRead, type RoomActions } from './room-actions.ts';
import { openStorage } from './storage/open-storage.ts';
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

/** The chats of one signed-in session, from sign-in to sign-out: their state and what a user does with them. */
export interface Client extends RoomActions, OutboxActions, ClientStores {
  readonly api: ApiClient;
  /** Name of the signed-in user. */
  readonly username: string;
  /** Aborted once the client is disposed of. */
  readonly signal: AbortSignal;
  /** Fetches the chat list again. How it went shows in the store. */
  readonly reloadChats: () => void;
  /** Tries to connect now. */
  readonly reconnect: () => void;
  /** Connects anew, as the device has slept. */
  readonly renewConnection: () => void;
  /** Keeps what the app has to know to start without a connection. */
  readonly saveStartFacts: (facts: StoredStartFacts) => void;
  /** Whether chats are kept on this device, to be shown at the next start. */
  readonly setOfflineCopyEnabled: (isOfflineCopyEnabled: boolean) => void;
  /**
   * Ends everything. What was written and what is kept stays on this device for the next start, unless the
   * session `ended` for a reason that forbids it.
   */
  readonly dispose: (options?: { ended?: SessionEndReason | undefined }) => void;
}

/** What a client tells. */
export interface ClientEvents {
  onSessionEnded: (reason: SessionEndReason) => void;
  /** The user's settings changed on another device: those that changed. */
  onSettings: (changed: Partial<Pick<CurrentUser, 'language' | 'volume'>>) => void;
  /** A new message of another user is there, live or found after a break. */
  onIncoming: (incoming: IncomingMessage) => void;
  /** A new message that the user does not see; called in one tab only. */
  onUnseen: (incoming: IncomingMessage) => void;
  /** The server took a message that was written in this tab. */
  onSent: () => void;
  /**
   * Something does not go out by itself: the server refused a message, or a file or a first message failed
   * and is the user's again. Code `partner_deleted` of a file: all of its kind are discarded.
   */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  onMarkReadFailed: () => void;
  /** The server came back as a version that this client does not work with. */
  onVersionMismatch: (config: PublicConfig) => void;
}

/** What a client is made of. */
export interface ClientDeps {
  /** Calls the server with the user's session. */
  api: ApiClient;
  /** Name of the signed-in user. */
  username: string;
  platform: Platform;
  /** Whether chats are kept on this device; they are, unless told otherwise. */
  isOfflineCopyEnabled?: boolean;
  events?: Partial<ClientEvents>;
  /** In place of the times that users get. */
  timing?: ClientTiming;
  /** In place of the socket of the platform. */
  openSocket?: OpenSocket;
}

/** Creates the client of a signed-in session: connects and fills its stores until it is disposed of. */
export function createClient(deps: ClientDeps): Client {
  const { username, platform, events = {}, timing = DEFAULT_TIMING } = deps;
  const opened = openStorage(platform, username);
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
    // Whether a new message of a room is seen the moment it arrives.
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
      // A message that came meanwhile is counted here already.
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
    onGap: (chatroomId) => {
      roomLoader.resync(chatroomId).catch(() => undefined);
    },
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
      // While it is live, the connection tells when its session ends.
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

  // What came after it is new, also while the connection is still being made.
  const firstList = chatList.load().catch(() => undefined);

  let isReconnect = false;

  // They may have been changed on another device during the break.
  async function refreshSettings(): Promise<void> {
    const { username: name, language, volume } = await fetchCurrentUser(api);
    if (name === username) events.onSettings?.({ language, volume });
  }

  // Kept where the rooms cannot follow at once.
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
      // First, or the list would show it as unread once more.
      await readSender.flush();
      await chatList.load();
      // Before the rooms follow: what comes into sight there is read at once, and new all the same.
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
    // If the session is over, this response signs out.
    onRefused: () => {
      if (platform.isOnline()) fetchCurrentUser(api).catch(() => undefined);
    },
    onSessionEnded,
    timing,
  });

  // A room that could not be loaded without a connection is loaded once it is back.
  function reopenView(): void {
    const { chatroomId } = view.getState();
    if (chatroomId === undefined) return;
    if (rooms.getState().rooms[chatroomId]?.status === 'error') void actions.open(chatroomId);
  }

  const stopWatchingVersion = watchServerVersion(api, connection, (config) =>
    events.onVersionMismatch?.(config),
  );

  // The storage was erased in another tab: the session that it belonged to is over.
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
    saveStartFacts: copy.saveStartFacts,
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

/** Returns an API that calls nothing once the signal is aborted: the session may be another user's by then. */
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
