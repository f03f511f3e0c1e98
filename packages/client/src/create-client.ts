import type { SessionEndReason } from '@parley/contract';
import { createAnnouncer } from './announcer.ts';
import { createAbortableApi } from './api/abortable-api.ts';
import { createOtherUserError, type ApiClient } from './api/client.ts';
import { clearMarksOnOpening, createChatActions, type ChatActions } from './chat-actions.ts';
import type { ClientCore } from './client-core.ts';
import type { ClientEvents } from './client-events.ts';
import { createClientStores, type PublishedStores } from './client-stores.ts';
import {
  createNotificationPreferences,
  type NotificationPreferences,
} from './notification-preferences.ts';
import { createOfflineCopy, type StoredStartData } from './offline-copy/offline-copy.ts';
import { closeStorage, trackServerContact, watchErasure } from './offline-copy/storage-session.ts';
import type { NewChange } from './outbox/changes/change.ts';
import { createOutboxStore, getPending } from './outbox/outbox-store.ts';
import { createOutbox, type OutboxActions } from './outbox/outbox.ts';
import type { Platform } from './platform.ts';
import { createChatroomActions, type ChatroomActions } from './chatroom-actions.ts';
import { runLater } from './run-later.ts';
import { createFindMessages, type FindMessages } from './search/find-messages.ts';
import { createSearches, type Searches } from './search/searches.ts';
import { openUserStorage } from './storage/open-storage.ts';
import { shouldEraseEverything } from './storage/user-storage.ts';
import { createChatListLoader } from './sync/chat-list-loader.ts';
import { createChatStates, type ChatStates } from './sync/chat-states.ts';
import { createClientResync, type Resync } from './sync/client-resync.ts';
import { createDeliveryReporter } from './sync/delivery-reporter.ts';
import { createDeviceSignals } from './sync/device-signals.ts';
import { changeChat, createEventHandlers } from './sync/event-handlers.ts';
import { startLiveConnection } from './sync/live-connection.ts';
import { prefetchChatrooms } from './sync/prefetch-chatrooms.ts';
import { createPartnerActivity } from './sync/partner-activity.ts';
import { createChatroomLoader } from './sync/chatroom-loader.ts';
import { openSocket, type OpenSocket } from './sync/socket.ts';
import { watchServerVersion } from './sync/watch-server-version.ts';
import { dropOnceLearned } from './sync/settled-changes.ts';
import { DEFAULT_TIMING, type ClientTiming } from './timing.ts';
import { withRerun } from './with-rerun.ts';

/** The chats of a signed-in session: their state and the user's actions. */
export interface Client extends ChatroomActions, ChatActions, OutboxActions, PublishedStores {
  readonly api: ApiClient;
  readonly username: string;
  /** Aborted once the client is disposed of. */
  readonly signal: AbortSignal;
  /** Tells the partner in a chatroom that the user is typing. Call it for each change of the draft. */
  readonly notifyTyping: (chatroomId: string) => void;
  /** Resolves once the outbox contains what is stored. May stay pending forever. */
  readonly outboxLoaded: Promise<void>;
  /** Creates a search in messages whose results stay current. Dispose of it once it is no longer shown. */
  readonly createSearch: Searches['create'];
  /** Finds a page of messages on the server, or on this device while there is no connection. */
  readonly findMessages: FindMessages;
  /** The settings of notifications. The store `notificationSettings` shows them. */
  readonly notificationPreferences: Pick<NotificationPreferences, 'load' | 'change'>;
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

/** Dependencies and options of `createClient`. */
export interface ClientDeps {
  /** The server's API with the user's session. */
  api: ApiClient;
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
  const disposing = new AbortController();
  const { signal } = disposing;
  const outboxStore = createOutboxStore({
    platform,
    username,
    opened,
    signal,
    onRead: () => {
      if (getPending(outbox.getState()).length > 0) sending.flush();
    },
    onSettledElsewhere: (settled) => dropOnceLearned({ ...core, chatroomLoader }, settled),
  });
  const outbox = outboxStore.store;
  const stores = createClientStores(platform, username, opened, outbox, signal);
  const { chats, drafts, connection } = stores;
  const change = (made: NewChange): void => sending.change(made);
  const api = createAbortableApi(signal, deps.api);
  clearMarksOnOpening({ stores, change, platform }, signal);
  const onSessionEnded = (reason: SessionEndReason): void => events.onSessionEnded?.(reason);
  const onOtherUser = (): void => onSessionEnded('expired');
  const applyChat: ChatStates['apply'] = (chat, before) => states.apply(chat, before);
  const chatList = createChatListLoader({ api, chats, username, signal, onOtherUser, timing });
  const isEnabled = deps.isOfflineCopyEnabled ?? true;
  const copy = createOfflineCopy({ opened, stores, platform, isEnabled, timing });
  const resyncCopy = withRerun(() => copy.resync(api).catch(() => undefined));
  trackServerContact(connection, opened, signal);
  const version = watchServerVersion(api, connection, (config) =>
    events.onVersionMismatch?.(config),
  );
  const core: ClientCore = { api, username, platform, stores, chatList, events, signal, timing };

  const deliveries = createDeliveryReporter(core);
  const activity = createPartnerActivity(core);
  const deviceSignals = createDeviceSignals({
    ...core,
    send: (name, ...payload) => live.signal(name, ...payload),
  });
  const notificationPreferences = createNotificationPreferences(api, stores.notificationSettings);
  const announcer = createAnnouncer(core, notificationPreferences);
  const chatroomLoader = createChatroomLoader({ ...core, copy, applyChat });
  const states: ChatStates = createChatStates({ ...core, chatroomLoader, copy, announcer });
  const actions = createChatroomActions({ ...core, chatroomLoader, change });
  const chatActions = createChatActions({ stores, change });
  const findMessages = createFindMessages({ ...core, copy });
  const searches = createSearches({ ...core, find: findMessages });

  /** Rejects if the session belongs to another user, or cannot be checked. */
  async function confirmUser(): Promise<void> {
    // While online, the live connection reports the end of the session.
    if (connection.getState().status === 'online') return;
    const user = await api.call('getCurrentUser');
    if (user.username === username) return;
    onOtherUser();
    throw createOtherUserError();
  }

  const sending = createOutbox(
    {
      ...core,
      isVersionSupported: version.isSupported,
      applyChat,
      refetchChat: states.refetch,
      changeChat: (message, toChange) => changeChat(chats, message, toChange, chatList),
    },
    outboxStore,
    confirmUser,
  );
  const parts = { ...core, chatroomLoader, states, copy, announcer, notificationPreferences };
  const fetchMissed = createClientResync(parts);
  const resync: Resync = async (isPoll) => {
    try {
      await fetchMissed(isPoll);
    } catch (error) {
      version.checkAfter(error);
      throw error;
    }
  };
  const storeHandlers = createEventHandlers({
    ...parts,
    outbox: sending,
    deliveries,
    activity,
    resyncCopy,
  });

  const prefetch = withRerun(() =>
    prefetchChatrooms({ ...parts, resyncCopy }).catch((error: unknown) =>
      platform.logFailure('prefetching chats', error),
    ),
  );

  const live = startLiveConnection({
    platform,
    connection,
    signal,
    socket: (deps.openSocket ?? openSocket)(api.origin, platform.socketHeaders?.(), timing),
    handlers: searches.observe(storeHandlers),
    resync,
    onReachable: () => {
      deviceSignals.flush();
      sending.dropSettled();
      sending.flush();
      deliveries.flush();
      resyncCopy();
      runLater(signal, timing.prefetchDelay, prefetch);
      // An open chatroom may have failed to load while disconnected.
      const { chatroomId = '' } = stores.view.getState();
      if (stores.rooms.getState().rooms[chatroomId]?.status === 'error')
        void actions.open(chatroomId);
    },
    onPolled: () => {
      sending.dropSettled();
      deliveries.flush();
      resyncCopy();
    },
    // If the session is over, the 401 response signs the user out.
    onRefused: () => {
      if (platform.isOnline()) api.call('getCurrentUser').catch(() => undefined);
    },
    onSessionEnded,
    timing,
  });

  void watchErasure(opened, signal, onSessionEnded);

  const { shown, ...others } = stores;
  return {
    ...others,
    ...shown,
    ...actions,
    ...chatActions,
    ...sending.actions,
    api,
    username,
    signal,
    reloadChats: () => {
      chatList.load().catch(() => undefined);
    },
    outboxLoaded: outboxStore.loaded,
    createSearch: searches.create,
    findMessages,
    notifyTyping: deviceSignals.notifyTyping,
    notificationPreferences,
    reconnect: live.retry,
    renewConnection: live.renew,
    saveStartData: copy.saveStartData,
    setOfflineCopyEnabled: copy.setEnabled,
    dispose: ({ ended } = {}) => {
      disposing.abort();
      if (ended && shouldEraseEverything(ended)) {
        void outboxStore.erase();
        void drafts.getState().erase();
      }
      void closeStorage(platform, opened, copy, ended);
    },
  };
}
