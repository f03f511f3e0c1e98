import { LIMITS, type Chatroom, type PageQuery } from '@parley/contract';
import { ApiError } from '../api/client.ts';
import { createBackoff, type Backoff } from '../backoff.ts';
import { runLater } from '../run-later.ts';
import { shouldReload } from '../offline-copy/chatrooms-index.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { toChat } from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import type { ClientCore } from '../client-core.ts';
import { isServerReachable, mayReachServer } from '../stores/connection.ts';
import { withNewestPage, withChatState, type LoadedChatroom } from '../stores/loaded-chatroom.ts';
import {
  covers,
  withChangesDuringLoad,
  withoutDetached,
  withPageAround,
} from '../stores/message-window.ts';
import {
  isFromCopy,
  findLoadedChatroom,
  getLoadedChatrooms,
  isHidden,
  type ChatroomsState,
} from '../stores/loaded-chatrooms.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { resyncChatrooms, type ResyncDeps } from './resync.ts';

/** A loader that loads chatrooms into memory and resyncs them. */
export interface ChatroomLoader {
  /**
   * Loads a chatroom unless it is loaded. Shows the offline copy first, then resyncs it, also again if that has
   * failed. The store shows the outcome.
   */
  open: (chatroomId: string) => Promise<void>;
  /** Resyncs the chatrooms in memory: all, or the given one. Rejects with an `ApiError`. */
  resync: (chatroomId?: string) => Promise<void>;
  /**
   * Resyncs a chatroom in memory that missed changes. Retries after temporary failures while online.
   * All requests during a resync cause only one more.
   */
  requestResync: (chatroomId: string) => void;
  /** Records a revision that an event has told. */
  recordRev: (chatroomId: string, rev: number) => void;
  /** Returns the highest revision of a chatroom from events and the chat list, or 0 if there is none. */
  getLatestRev: (chatroomId: string) => number;
}

interface ChatroomLoaderDeps extends ResyncDeps, Pick<ClientCore, 'signal'> {
  copy: Pick<OfflineCopy, 'findChatroom'>;
  timing?: Pick<ClientTiming, 'resyncRetryMin' | 'resyncRetryMax'>;
}

/** Number of read messages to load before the first unread one. */
const UNREAD_CONTEXT = 20;

/** Statuses of refusals that may be temporary: 408 timeout, 425 too early, 429 rate limit. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);
/** How often the messages where the user reads are fetched while the user moves. */
const PLACES_MAX = 3;
/** How long to wait for the offline copy before fetching a chatroom. Milliseconds. */
const COPY_WAIT_MS = 300;

/** Creates a loader. It loads nothing before the first call. */
export function createChatroomLoader(deps: ChatroomLoaderDeps): ChatroomLoader {
  const { api, stores, copy, applyChat, signal, timing = DEFAULT_TIMING } = deps;
  const { rooms, chats, connection, view, readingPositions } = stores;
  const opening = new Map<string, Promise<void>>();
  /** The latest attempts to resync chatrooms from the offline copy. */
  const retrying = new Map<string, Backoff>();
  /** Chatrooms with a running `requestResync`, and whether changes were missed since its start. */
  const requested = new Map<string, boolean>();
  /** The latest revisions of chatrooms from events. */
  const eventRevs = new Map<string, number>();

  async function load(chatroomId: string): Promise<void> {
    const { setEntry } = rooms.getState();
    setEntry(chatroomId, { status: 'loading' });
    const { promise: isLate, resolve: stopWaiting } = Promise.withResolvers<void>();
    runLater(signal, COPY_WAIT_MS, stopWaiting);
    await Promise.race([showCopy(chatroomId), isLate]);
    try {
      if (!isFromCopy(rooms.getState(), chatroomId)) return await loadNewest(chatroomId);
    } catch (error) {
      await showCopy(chatroomId, true);
      if (!isFromCopy(rooms.getState(), chatroomId)) {
        setEntry(chatroomId, { status: 'error', error });
        return retryLoad(chatroomId, startBackoff());
      }
    }
    return resyncWithRetry(chatroomId, startBackoff());
  }

  /** Loads a chatroom again that failed to load while the server responds, until it succeeds or the user tries again. */
  function retryLoad(chatroomId: string, backoff: Backoff): void {
    const failed = rooms.getState().rooms[chatroomId];
    runLater(signal, backoff.next(), () => {
      if (rooms.getState().rooms[chatroomId] !== failed) return;
      if (!isServerReachable(connection.getState())) return;
      loadNewest(chatroomId).catch(() => retryLoad(chatroomId, backoff));
    });
  }

  /**
   * Shows the stored chatroom, unless it is loaded in the meantime.
   * @param isAnyPlace whether also without the messages at which the user will read, as the server does not respond
   */
  async function showCopy(chatroomId: string, isAnyPlace = false): Promise<void> {
    const room = await copy.findChatroom(chatroomId);
    if (room && !isAnyPlace && !withPlace(room) && mayReachServer(connection.getState())) return;
    const { rooms: entries, setEntry, setRefreshError } = rooms.getState();
    const entry = entries[chatroomId];
    if (!room || (entry?.status !== 'loading' && entry?.status !== 'error')) return;
    setEntry(chatroomId, { status: 'ready', room, isLoadingOlder: false, isFromCopy: true });
    if (entry.status === 'error') setRefreshError(chatroomId, entry.error);
  }

  /** Resyncs a chatroom and retries while online. While offline, it leaves that to the resync after reconnecting. */
  async function resyncWithRetry(chatroomId: string, backoff: Backoff): Promise<void> {
    retrying.set(chatroomId, backoff);
    await resync(chatroomId).catch((error: unknown) => {
      rooms.getState().setRefreshError(chatroomId, error);
    });
    // Another attempt of the user continues.
    if (retrying.get(chatroomId) !== backoff) return;
    if (!isFromCopy(rooms.getState(), chatroomId) || signal.aborted) return;
    if (!isServerReachable(connection.getState())) return;
    runLater(signal, backoff.next(), () => {
      if (retrying.get(chatroomId) === backoff) void resyncWithRetry(chatroomId, backoff);
    });
  }

  /** Returns the position of the message at which the user reads, or will read once the chatroom is open. */
  function findPlace({ id, unread, readSeq, messages }: LoadedChatroom): number | undefined {
    const { chatroomId, findPosition } = view.getState();
    const finder = chatroomId === id ? findPosition : undefined;
    const current = finder?.();
    if (current) return current.seq;
    // What was read here may not be confirmed.
    const readHere = findLoadedChatroom(stores.shown.rooms.getState(), id)?.readSeq ?? 0;
    const seq = Math.max(readSeq, readHere) + 1;
    if (unread > 0 && (messages.at(-1)?.seq ?? 0) >= seq) return seq;
    return finder ? undefined : readingPositions.getState().positions.get(id)?.seq;
  }

  /** Returns the position of the message at which the user reads, if it is not among the newest ones. */
  function findMissingPlace(room: LoadedChatroom): number | undefined {
    const seq = findPlace(room);
    return seq === undefined || !room.hasMore || covers(room, seq) ? undefined : seq;
  }

  /** Returns a loaded chatroom as it is opened; undefined if where the user will read is not loaded. */
  function withPlace(room: LoadedChatroom): LoadedChatroom | undefined {
    const seq = findMissingPlace(room);
    if (seq === undefined) return withoutDetached(room);
    return room.detached && covers(room.detached, seq) ? room : undefined;
  }

  /** Loads a chatroom's newest messages, and where the user reads. Rejects with an `ApiError` unless the room is missing. */
  async function loadNewest(chatroomId: string): Promise<void> {
    const { setEntry } = rooms.getState();
    const before = findLoadedChatroom(rooms.getState(), chatroomId);
    const known = findChat(chats.getState(), chatroomId);
    try {
      const fetchPage = (query: PageQuery): Promise<Chatroom> =>
        api.call('getChatroom', { params: { id: chatroomId }, query });
      const wanted = Math.max(LIMITS.pageDefault, (known?.unread ?? 0) + UNREAD_CONTEXT);
      const newest = await fetchPage({ limit: Math.min(LIMITS.pageMax, wanted) });
      const loaded = withNewestPage(chatroomId, newest);
      const chat = toChat(newest.chat);
      let around: Chatroom | undefined;
      let place = findMissingPlace(loaded);
      for (let i = 0; i < PLACES_MAX && place !== undefined; i += 1) {
        around = await fetchPage({ around: place });
        // The user may have moved in the meantime.
        const next = findMissingPlace(loaded);
        if (next === place) break;
        place = next;
      }
      if (isHidden(rooms.getState(), chatroomId)) return;
      applyChat(chat, known);
      if (isHidden(rooms.getState(), chatroomId)) return;
      const current = findLoadedChatroom(rooms.getState(), chatroomId);
      const merged = current ? withChangesDuringLoad(loaded, before, current) : loaded;
      const shown = around && place !== undefined ? withPageAround(merged, around) : merged;
      const room = withChatState(shown, findChat(chats.getState(), chatroomId) ?? chat);
      setEntry(chatroomId, { status: 'ready', room, isLoadingOlder: false });
      if (getLatestRev(chatroomId) > room.rev) requestResync(chatroomId);
    } catch (error) {
      if (isHidden(rooms.getState(), chatroomId)) return;
      if (!isMissing(error)) throw error;
      const isConfirmed = error instanceof ApiError && error.code === 'room_not_found';
      setEntry(chatroomId, { status: 'missing', ...(!isConfirmed && { isUnconfirmed: true }) });
    }
  }

  async function resync(chatroomId?: string): Promise<void> {
    for (const { id, rev } of listChatroomsFromCopy(rooms.getState(), chatroomId)) {
      const { isFromCopy: isOld, chats: listed } = chats.getState();
      const latest = isOld ? undefined : listed.find((chat) => chat.id === id)?.rev;
      if (latest !== undefined && shouldReload(rev, latest)) await loadNewest(id);
    }
    const copies = listChatroomsFromCopy(rooms.getState(), chatroomId).map(({ id }) => id);
    for (const id of await resyncChatrooms(deps, chatroomId)) {
      if (findLoadedChatroom(rooms.getState(), id)) await loadNewest(id);
    }
    for (const id of copies) {
      const room = findLoadedChatroom(rooms.getState(), id);
      if (room && !withPlace(room)) await loadNewest(id);
    }
  }

  function requestResync(chatroomId: string): void {
    const isRunning = requested.has(chatroomId);
    requested.set(chatroomId, isRunning);
    if (!isRunning) void resyncRequested(chatroomId, startBackoff());
  }

  async function resyncRequested(chatroomId: string, backoff: Backoff): Promise<void> {
    requested.set(chatroomId, false);
    let shouldRetry = false;
    try {
      await resync(chatroomId);
    } catch (error) {
      // While disconnected, the resync after reconnecting replaces this one.
      const isOnline = isServerReachable(connection.getState());
      shouldRetry = isOnline && error instanceof ApiError && error.isTemporary;
    }
    if (shouldRetry)
      runLater(signal, backoff.next(), () => void resyncRequested(chatroomId, backoff));
    else if (requested.get(chatroomId)) await resyncRequested(chatroomId, startBackoff());
    else requested.delete(chatroomId);
  }

  function getLatestRev(chatroomId: string): number {
    const listed = chats.getState().chats.find(({ id }) => id === chatroomId);
    return Math.max(eventRevs.get(chatroomId) ?? 0, listed?.rev ?? 0);
  }

  function startBackoff(): Backoff {
    return createBackoff(timing.resyncRetryMin, timing.resyncRetryMax);
  }

  return {
    open: (chatroomId) => {
      const { rooms: entries, setEntry } = rooms.getState();
      const entry = entries[chatroomId];
      const room = entry?.status === 'ready' ? withPlace(entry.room) : undefined;
      if (entry?.status === 'ready' && (room || !isServerReachable(connection.getState()))) {
        setEntry(chatroomId, { ...entry, room: room ?? withoutDetached(entry.room) });
        if (entry.refreshError === undefined) return Promise.resolve();
        return resyncWithRetry(chatroomId, startBackoff());
      }
      const under =
        opening.get(chatroomId) ?? load(chatroomId).finally(() => opening.delete(chatroomId));
      opening.set(chatroomId, under);
      return under;
    },
    resync,
    requestResync,
    recordRev: (chatroomId, rev) =>
      void eventRevs.set(chatroomId, Math.max(rev, eventRevs.get(chatroomId) ?? 0)),
    getLatestRev,
  };
}

/** Returns the chatrooms in memory that come from the offline copy: all, or the given one. */
function listChatroomsFromCopy(state: ChatroomsState, only: string | undefined): LoadedChatroom[] {
  return getLoadedChatrooms(state).filter(
    ({ id }) => (only === undefined || id === only) && isFromCopy(state, id),
  );
}

/** Returns whether an error means that the chatroom does not exist, not that the server or the network failed. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const isRefusal = error.status >= 400 && error.status < 500;
  return error.code === 'unreadable' || (isRefusal && !TEMPORARY.has(error.status));
}
