import { cleanText, type PublicConfig, type SessionEndReason } from '@parley/contract';
import { fetchCurrentUser } from './api/validated-calls.ts';
import { ApiError, createOtherUserError, type ApiClient } from './api/client.ts';
import {
  createNotificationArbiter,
  type IncomingMessage,
  type NotificationArbiter,
} from './notification-arbiter.ts';
import {
  createOfflineCopy,
  type OfflineCopy,
  type StoredStartData,
} from './offline-copy/offline-copy.ts';
import { isPending, type OutboxEntry } from './outbox/outbox-entry.ts';
import { createIntentsStore, type Intent, type IntentsStore } from './intents/intents-store.ts';
import { createIntents, type IntentSender, type Intents } from './intents/intents.ts';
import { parseReactionIntent, REACTION_INTENT } from './intents/pending-reactions.ts';
import { createOutboxStore, type OutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type Outbox, type OutboxActions } from './outbox/outbox.ts';
import type { Platform } from './platform.ts';
import { createRoomActions, applyRead, type RoomActions } from './room-actions.ts';
import { openUserStorage, type OpenedUserStorage } from './storage/open-storage.ts';
import { shouldEraseEverything } from './storage/user-storage.ts';
import { trackServerContact } from './storage/track-server-contact.ts';
import { createClientStores, type ClientStores } from './stores/client-stores.ts';
import { isPartnerDeleted, withMessage } from './stores/room.ts';
import { findLoadedRoom } from './stores/rooms.ts';
import type { UserSettings } from './stores/session.ts';
import { createChatListLoader, type ChatListLoader } from './sync/chat-list-loader.ts';
import { createChatStatuses, type ChatStatuses } from './sync/chat-status.ts';
import { createEventHandlers, addToList } from './sync/event-handlers.ts';
import { createDeliveryReporter, type DeliveryReporter } from './sync/delivery-reporter.ts';
import { createRevTracker } from './sync/rev-tracker.ts';
import { startLiveConnection } from './sync/live-connection.ts';
import { createTyping } from './sync/typing-signals.ts';
import { findMissedMessages } from './sync/missed-messages.ts';
import { createReadSender, type ReadSender } from './sync/read-sender.ts';
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
  /** Tells the partner in a chatroom that the user is typing. Call it for each change of the draft. */
  readonly notifyTyping: (chatroomId: string) => void;
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
  onSettings: (changed: Partial<UserSettings>) => void;
  /** Called for each new message of another user, received live or found after a reconnect. */
  onIncoming: (incoming: IncomingMessage) => void;
  /** Called for each reaction of another user to a message of the user, like `onIncoming`. */
  onReaction: (reaction: IncomingMessage) => void;
  /** Called in only one tab for a new message or reaction that the user does not see. */
  onUnseen: (incoming: IncomingMessage) => void;
  /** Called when the server has stored a message sent from this tab. */
  onSent: () => void;
  /**
   * Called when an entry is no longer retried: the server refused a message, or a file or first
   * message failed and became a draft again. With code `partner_deleted`, all of the chatroom's
   * unsent files of the same kind are discarded.
   */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  /** Called when the server refused a change that was already shown, such as a reaction. */
  onChangeRefused: (error: ApiError) => void;
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
  const intentsStore = createIntentsStore({ platform, username, opened });
  const stores: ClientStores = {
    ...createClientStores(platform, username, opened),
    outbox,
    intents: intentsStore.store,
  };
  const { chats, drafts, connection } = stores;
  const disposing = new AbortController();
  const api = createAbortableApi(disposing.signal, deps.api);
  const revTracker = createRevTracker(chats);
  const onSessionEnded = (reason: SessionEndReason): void => events.onSessionEnded?.(reason);
  const onOtherUser = (): void => onSessionEnded('expired');
  const getStatusVersion = (): number => statuses.getVersion();
  const chatList = createChatListLoader({
    api,
    chats,
    username,
    onOtherUser,
    getStatusVersion,
    timing,
  });
  const isEnabled = deps.isOfflineCopyEnabled ?? true;
  const copy = createOfflineCopy({ opened, stores, platform, isEnabled, timing });
  const contact = trackServerContact(connection, opened);
  const { signal } = disposing;
  const core: ClientCore = { api, username, platform, stores, chatList, events, signal, timing };

  const announcer = createAnnouncer(core);
  const readSender = createClientReadSender(core);
  const sendRead = readSender.send;
  const deliveries = createClientDeliveryReporter(core);
  const typing = createTyping({ stores, send: (chatroomId) => live.sendTyping(chatroomId) });
  const getLatestRev = revTracker.getLatest;
  const roomLoader = createRoomLoader({
    ...core,
    copy,
    sendRead,
    getLatestRev,
    getStatusVersion,
    onBlocked: (chatroomId) => statuses.apply(chatroomId, 'blocked'),
  });
  const statuses: ChatStatuses = createChatStatuses({
    ...core,
    roomLoader,
    updateStoredRoom: copy.updateRoom,
    forgetRead: readSender.discard,
  });
  const actions = createRoomActions({ ...core, roomLoader, sendRead, statuses });
  const handlers = createEventHandlers({
    ...core,
    recordRev: revTracker.record,
    updateStoredRoom: copy.updateRoom,
    onGap: roomLoader.requestResync,
    onIncoming: ({ _id: key, chatroom: chatroomId, sender, kind, content }, isRequest) => {
      const message = { key, chatroomId, name: sender.username, kind, content };
      announcer.announce({ ...message, ...(isRequest && { isRequest }) });
    },
    onDelivered: ({ chatroom, seq }) => deliveries.report(chatroom, seq),
    onTyping: (chatroomId, isTyping) =>
      isTyping ? typing.show(chatroomId) : typing.hide(chatroomId),
    onReaction: (chatroomId, { messageId, emoji, kind, content }) => {
      const name = chats.getState().chats.find(({ id }) => id === chatroomId)?.names[0];
      if (name === undefined) return;
      const key = `${messageId}:${emoji}`;
      announcer.announce({ key, chatroomId, name, kind, content, reaction: emoji });
    },
    onChatStatus: statuses.apply,
    onSettings: (changed) => events.onSettings?.(changed),
  });

  const confirmUser = createUserConfirmation(core, onOtherUser);
  const sending = createClientOutbox(core, outboxStore, confirmUser, statuses.refetch);
  const intents = createClientIntents(core, intentsStore, confirmUser);
  watchCreatedChatrooms(core);
  const resync = createClientResync(core, {
    flushReads: readSender.flush,
    resyncRooms: roomLoader.resync,
    announce: announcer.announce,
  });

  const live = startLiveConnection({
    platform,
    connection,
    socket: (deps.openSocket ?? openSocket)(api.origin, platform.socketHeaders?.(), timing),
    handlers,
    resync,
    onLive: () => {
      sending.flush();
      deliveries.flush();
      intents.flush();
      copy.resync(api).catch(() => undefined);
      reopenView(stores, actions);
    },
    // If the session is over, the 401 response signs the user out.
    onRefused: () => {
      if (platform.isOnline()) fetchCurrentUser(api).catch(() => undefined);
    },
    onSessionEnded,
    timing,
  });

  const stopWatchingVersion = watchServerVersion(api, connection, (config) =>
    events.onVersionMismatch?.(config),
  );
  void watchErasure(opened, signal, onSessionEnded);

  return {
    ...stores,
    ...actions,
    ...sending.actions,
    api,
    username,
    signal,
    reloadChats: () => {
      chatList.load().catch(() => undefined);
    },
    notifyTyping: typing.notify,
    reconnect: live.retry,
    renewConnection: live.renew,
    saveStartData: copy.saveStartData,
    setOfflineCopyEnabled: copy.setEnabled,
    dispose: ({ ended } = {}) => {
      disposing.abort();
      stopWatchingVersion();
      live.stop();
      readSender.stop();
      deliveries.stop();
      typing.stop();
      statuses.stop();
      chatList.stop();
      announcer.stop();
      outboxStore.stop();
      contact.stop();
      if (ended && shouldEraseEverything(ended)) {
        void outboxStore.erase();
        void drafts.getState().erase();
        void intentsStore.erase();
      }
      void closeStorage(core, opened, copy, ended);
    },
  };
}

/** The dependencies that the parts of a client share. */
interface ClientCore extends Pick<ClientDeps, 'username' | 'platform'> {
  api: ApiClient;
  stores: ClientStores;
  chatList: ChatListLoader;
  events: Partial<ClientEvents>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  timing: ClientTiming;
}

/**
 * Calls `onIncoming` and `onReaction` for messages and reactions of other users, and `onUnseen` in one tab for
 * unseen ones.
 */
function createAnnouncer({ platform, stores, events }: ClientCore): NotificationArbiter {
  const arbiter = createNotificationArbiter({
    platform,
    // The user sees a message immediately at the bottom of an open chatroom.
    isSeen: ({ chatroomId }) => {
      const view = stores.view.getState();
      return view.chatroomId === chatroomId && view.isAtBottom && platform.isFocused();
    },
    onUnseen: (incoming) => events.onUnseen?.(incoming),
  });
  return {
    announce: (incoming) => {
      if (incoming.reaction === undefined) events.onIncoming?.(incoming);
      else events.onReaction?.(incoming);
      arbiter.announce(incoming);
    },
    stop: arbiter.stop,
  };
}

function createClientReadSender({ api, stores, chatList, events, timing }: ClientCore): ReadSender {
  return createReadSender({
    api,
    onConfirmed: (chatroomId, seq, { readSeq, unreadMessagesCount }) => {
      const room = findLoadedRoom(stores.rooms.getState(), chatroomId);
      // Newer messages are already included in the local count.
      if (room && room.readSeq <= readSeq && room.messages.at(-1)?.seq === seq) {
        applyRead(stores, chatList, chatroomId, readSeq, unreadMessagesCount);
      }
    },
    onFailed: (error, isTemporary) => {
      // The chat may have been declined on another device.
      const isExpected =
        error instanceof ApiError && (error.code === 'offline' || error.code === 'room_not_found');
      if (!isExpected) events.onMarkReadFailed?.();
      if (!isTemporary) chatList.request();
    },
    timing,
  });
}

/** Reports live messages, and those that arrived during a disconnection. */
function createClientDeliveryReporter({ api, stores, timing }: ClientCore): DeliveryReporter {
  const reporter = createDeliveryReporter({
    api,
    getReadSeq: (chatroomId) => findLoadedRoom(stores.rooms.getState(), chatroomId)?.readSeq ?? 0,
    timing,
  });
  const stop = stores.chats.subscribe(({ chats, isFromCopy }, before) => {
    if (isFromCopy || chats === before.chats) return;
    for (const { id, last, unread, isRequest } of chats) {
      if (last?.seq === undefined || last.isOwn || unread === 0 || isRequest) continue;
      reporter.report(id, last.seq);
    }
  });
  return {
    ...reporter,
    stop: () => {
      stop();
      reporter.stop();
    },
  };
}

/** Returns a function that rejects if the session belongs to another user, or cannot be checked. */
function createUserConfirmation(
  { api, username, stores }: ClientCore,
  onOtherUser: () => void,
): () => Promise<void> {
  return async () => {
    // While online, the live connection reports the end of the session.
    if (stores.connection.getState().status === 'online') return;
    const user = await fetchCurrentUser(api);
    if (user.username === username) return;
    onOtherUser();
    throw createOtherUserError();
  };
}

/** Sends the user's reactions. */
function createClientIntents(
  { api, platform, stores, events, signal, timing }: ClientCore,
  intents: IntentsStore,
  confirmUser: () => Promise<void>,
): Intents {
  const onRefused = (_intent: Intent, error: ApiError): void => {
    // The message or the chat was deleted in the meantime.
    const isExpected = error.code === 'message_not_found' || error.code === 'room_not_found';
    if (!isExpected) events.onChangeRefused?.(error);
  };
  const reaction: IntentSender = {
    send: async (intent) => {
      const body = parseReactionIntent(intent);
      if (!body) return;
      const message = await api.call('reactToMessage', { body });
      if (signal.aborted) return;
      stores.rooms
        .getState()
        .update(message.chatroom, (room) => withMessage(room, message, false).room);
    },
    onRefused,
  };
  const senders = { [REACTION_INTENT]: reaction };
  return createIntents({ intents, platform, senders, signal, confirmUser, timing });
}

function createClientOutbox(
  core: ClientCore,
  outboxStore: OutboxStore,
  confirmUser: () => Promise<void>,
  onPartnerBlocked: (chatroomId: string) => void,
): Outbox {
  const { api, platform, stores, chatList, events, signal, timing } = core;
  const { rooms, chats, connection } = stores;
  return createOutbox({
    api,
    outbox: outboxStore,
    platform,
    signal,
    confirmUser,
    hasConnection: () => {
      const { status } = connection.getState();
      return platform.isOnline() && (status === 'online' || status === 'connecting');
    },
    isPartnerDeleted: (chatroomId) => {
      const room = findLoadedRoom(rooms.getState(), chatroomId);
      return room !== undefined && isPartnerDeleted(room);
    },
    onSent: (message) => {
      rooms.getState().update(message.chatroom, (room) => withMessage(room, message, false).room);
      addToList(chats, message, true, chatList);
      events.onSent?.();
    },
    onRefused: (entry, error) => events.onSendRefused?.(entry, error),
    onPartnerBlocked,
    timing,
  });
}

/** Refetches the chat list and discards a draft once its first message has created a chatroom. */
function watchCreatedChatrooms({ stores, chatList }: ClientCore): void {
  stores.outbox.subscribe(({ created }, before) => {
    if (created === before.created) return;
    chatList.request();
    const { drafts, setDraft } = stores.drafts.getState();
    for (const { partnerName, content } of Object.values(created)) {
      const key = `new:${partnerName}`;
      if (cleanText(drafts[key] ?? '') === content) setDraft(key, '');
    }
  });
}

interface ClientResyncDeps {
  /** Sends unconfirmed read positions. */
  flushReads: () => Promise<void>;
  /** Resyncs the chatrooms in memory. */
  resyncRooms: () => Promise<void>;
  announce: (incoming: IncomingMessage) => void;
}

/** Loads the chat list, and returns a function that fetches the changes missed while disconnected. */
function createClientResync(core: ClientCore, deps: ClientResyncDeps): () => Promise<void> {
  const { api, username, stores, chatList, events } = core;
  const { chats } = stores;
  // Messages after this list count as new, even while the client is still connecting.
  const firstList = chatList.load().catch(() => undefined);
  let isReconnect = false;
  // Retained across retries, in case the chatrooms fail to resync at first.
  const missed: IncomingMessage[] = [];

  // Settings may have changed on another device during the disconnection.
  async function refreshSettings(): Promise<void> {
    const user = await fetchCurrentUser(api);
    if (user.username !== username) return;
    const { language, volume, whoMayWrite, isDiscoverable } = user;
    events.onSettings?.({
      language,
      volume,
      ...(whoMayWrite !== undefined && { whoMayWrite }),
      ...(isDiscoverable !== undefined && { isDiscoverable }),
    });
  }

  return async () => {
    await firstList;
    if (isReconnect) refreshSettings().catch(() => undefined);
    isReconnect = true;
    const before = chats.getState();
    // Read positions go first. Otherwise the list shows read messages as unread again.
    await deps.flushReads();
    await chatList.load();
    // This runs before the chatrooms resync, because a resync can mark new messages as read.
    if (before.status === 'ready' && !before.isFromCopy) {
      missed.push(...findMissedMessages(before.chats, chats.getState().chats));
    }
    await deps.resyncRooms();
    missed.splice(0).forEach(deps.announce);
  };
}

/** Reloads an open chatroom that failed to load while disconnected. */
function reopenView({ rooms, view }: ClientStores, { open }: Pick<RoomActions, 'open'>): void {
  const { chatroomId } = view.getState();
  if (chatroomId === undefined) return;
  if (rooms.getState().rooms[chatroomId]?.status === 'error') void open(chatroomId);
}

/** Ends the session once another tab erases the storage because the session has ended. */
async function watchErasure(
  opened: OpenedUserStorage,
  signal: AbortSignal,
  onSessionEnded: (reason: SessionEndReason) => void,
): Promise<void> {
  (await opened)?.onErased((reason) => {
    if (!signal.aborted) onSessionEnded(reason);
  });
}

/** Writes pending changes of the offline copy, or erases the storage, and closes it. */
async function closeStorage(
  { platform }: ClientCore,
  opened: OpenedUserStorage,
  copy: OfflineCopy,
  ended: SessionEndReason | undefined,
): Promise<void> {
  await copy.stop({ isErasing: ended !== undefined && ended !== 'expired' });
  const storage = await opened;
  try {
    if (ended) await storage?.eraseAfterSession(ended);
  } catch (error) {
    platform.logFailure('erasing the storage', error);
  }
  storage?.close();
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
