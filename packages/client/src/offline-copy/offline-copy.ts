import { LIMITS, type Changes, type CurrentUser, type PublicConfig } from '@parley/contract';
import type { ApiClient } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import { eraseCopy, START_DATA_KEY, type UserStorage } from '../storage/user-storage.ts';
import { mergeChats, type Chat } from '../stores/chat-list.ts';
import type { ClientStores } from '../stores/client-stores.ts';
import { withChanges, type Room } from '../stores/room.ts';
import type { RoomEntry } from '../stores/rooms.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { parseStoredChats } from './stored-chats.ts';
import { toStoredRoom, type StoredRoom } from './stored-room.ts';
import { compareWithServer, withoutRooms, type IndexEntry } from './rooms-index.ts';
import {
  putStoredRoom,
  readRoomsIndex,
  readStoredRoom,
  updateRoomsIndex,
  updateStoredRoom,
} from './stored-rooms.ts';

/** The data that the app needs to start without a connection. */
export interface StoredStartData {
  user: CurrentUser;
  config: PublicConfig;
}

/**
 * The offline copy of the chats on this device, shown before the server has responded. The stores
 * are authoritative and the copy follows them.
 */
export interface OfflineCopy {
  /** Finds a stored chatroom. Resolves to undefined if it is not stored. */
  findRoom: (chatroomId: string) => Promise<Room | undefined>;
  /** Updates a stored chatroom that is not in memory. */
  updateRoom: (chatroomId: string, change: (room: Room) => Room) => void;
  /**
   * Resyncs stored chatrooms that are not in memory, so that deleted messages do not remain stored.
   */
  resync: (api: ApiClient) => Promise<void>;
  saveStartData: (startData: StoredStartData) => void;
  /** Turns the copy on or off. Turning it off erases it immediately. */
  setEnabled: (isEnabled: boolean) => void;
  /** Writes pending changes, unless the copy is to be erased. */
  stop: (options?: { isErasing?: boolean }) => Promise<void>;
}

interface OfflineCopyDeps {
  opened: OpenedUserStorage;
  stores: Pick<ClientStores, 'chats' | 'rooms'>;
  platform: Pick<Platform, 'onHidden' | 'logFailure'>;
  isEnabled: boolean;
  timing?: Pick<ClientTiming, 'copyWriteThrottle'>;
}

const CHAT_LIST = 'list';

/** Creates the offline copy and shows its chat list until the server's is loaded. */
export function createOfflineCopy(deps: OfflineCopyDeps): OfflineCopy {
  const { opened, stores, platform, timing = DEFAULT_TIMING } = deps;
  const { chats, rooms } = stores;
  let { isEnabled } = deps;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The last task. Tasks run sequentially. */
  let queue: Promise<void> = Promise.resolve();

  /** The stored chat list, undefined until it is read. */
  let storedChats: readonly Chat[] | undefined;
  /** Chatrooms to write, including those that are no longer in memory. */
  const changedRooms = new Map<string, RoomEntry>();
  const roomChanges = new Map<string, ((room: Room) => Room)[]>();
  /** Revisions of chatrooms read from the copy. */
  const readRevs = new Map<string, number>();
  let startData: StoredStartData | undefined;
  let hasNewStartData = false;

  function run(what: string, task: (storage: UserStorage) => Promise<void>): Promise<void> {
    const before = queue;
    queue = (async () => {
      await before;
      try {
        const storage = await opened;
        if (storage) await task(storage);
      } catch (error) {
        platform.logFailure(`${what} the offline copy`, error);
      }
    })();
    return queue;
  }

  function schedule(): void {
    if (!isEnabled || isStopped) return;
    timer ??= setTimeout(flush, timing.copyWriteThrottle);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return run('writing', write);
  }

  async function write(storage: UserStorage): Promise<void> {
    if (!isEnabled || !(await storage.isOwned())) return;
    await writeChats(storage);
    if (hasNewStartData && startData) {
      hasNewStartData = false;
      await storage.put('meta', START_DATA_KEY, { value: startData });
    }
    await writeRooms(storage);
    // Another tab may have erased the storage in the meantime. Erases the records written since.
    if (!(await storage.isOwned())) await eraseCopy(storage);
  }

  async function writeChats(storage: UserStorage): Promise<void> {
    const { status, isFromCopy, chats: current } = chats.getState();
    if (status !== 'ready' || isFromCopy || storedChats === undefined) return;
    if (current === storedChats) return;
    // After a restored backup the server's revisions are lower. They still take precedence.
    const known = new Map(storedChats.map(({ id, rev }) => [id, rev]));
    const restored = new Set(
      current.filter(({ id, rev }) => (known.get(id) ?? 0) > rev).map(({ id }) => id),
    );
    storedChats = current;
    await storage.update('chats', CHAT_LIST, (record) => {
      const before = parseStoredChats(record?.value) ?? [];
      return {
        value: mergeChats(
          before.filter(({ id }) => !restored.has(id)),
          current,
        ),
      };
    });
  }

  async function writeRooms(storage: UserStorage): Promise<void> {
    const written = new Map<string, IndexEntry>();
    const gone = new Set<string>();
    for (const [id, changes] of takeAll(roomChanges)) {
      const room = await updateStoredRoom(storage, id, (before) =>
        changes.reduce((current, change) => change(current), before),
      );
      if (room) written.set(id, { rev: room.rev, unread: room.unread, usedAt: 0 });
    }
    for (const [id, entry] of takeAll(changedRooms)) {
      if (entry.status === 'missing' && !entry.isUnconfirmed) gone.add(id);
      if (entry.status !== 'ready' || entry.isFromCopy) continue;
      const room = toStoredRoom(entry.room);
      await writeRoom(storage, room);
      written.set(id, { rev: room.rev, unread: room.unread, usedAt: Date.now() });
    }
    if (written.size > 0 || gone.size > 0) await updateRoomsIndex(storage, written, gone);
  }

  async function writeRoom(storage: UserStorage, room: StoredRoom): Promise<void> {
    const isRestored = (readRevs.get(room.id) ?? 0) > room.rev;
    readRevs.delete(room.id);
    await putStoredRoom(storage, room, isRestored);
  }

  async function show(storage: UserStorage): Promise<void> {
    if (!isEnabled) {
      await eraseCopy(storage);
      return;
    }
    const stored = parseStoredChats((await storage.get('chats', CHAT_LIST))?.value);
    storedChats = stored ?? [];
    if (stored) chats.getState().setFromCopy(stored);
    schedule();
  }

  function noteRooms(
    now: Readonly<Record<string, RoomEntry>>,
    before: Readonly<Record<string, RoomEntry>>,
  ): void {
    for (const [id, entry] of Object.entries(now)) {
      if (entry !== before[id]) changedRooms.set(id, entry);
    }
  }

  async function resyncRooms(api: ApiClient, since: Record<string, number>): Promise<void> {
    let hasMore = Object.keys(since).length > 0;
    while (hasMore) {
      const changes = await api.call('listChanges', { body: { since } });
      const hasAdvanced = changes.rooms.some(({ chatId, rev }) => rev > (since[chatId] ?? 0));
      await run('writing', (storage) => applyChanges(storage, changes));
      for (const { chatId, rev } of changes.rooms) since[chatId] = rev;
      for (const id of changes.gone) delete since[id];
      hasMore = changes.hasMore && hasAdvanced;
    }
  }

  async function applyChanges(storage: UserStorage, changes: Changes): Promise<void> {
    if (!isEnabled || !(await storage.isOwned())) return;
    const written = new Map<string, IndexEntry>();
    for (const changed of changes.rooms) {
      const room = await updateStoredRoom(storage, changed.chatId, (kept) =>
        withChanges(kept, changed),
      );
      if (room) written.set(room.id, { rev: room.rev, unread: room.unread, usedAt: 0 });
    }
    await updateRoomsIndex(storage, written, new Set(changes.gone));
  }

  const unsubscribe = [
    chats.subscribe((state, before) => {
      if (state.chats !== before.chats || state.isFromCopy !== before.isFromCopy) schedule();
    }),
    rooms.subscribe((state, before) => {
      if (state.rooms === before.rooms) return;
      noteRooms(state.rooms, before.rooms);
      schedule();
    }),
    platform.onHidden(() => void flush()),
  ];
  void run('reading', show);

  return {
    findRoom: async (chatroomId) => {
      let room: Room | undefined;
      await run('reading', async (storage) => {
        if (!isEnabled) return;
        room = await readStoredRoom(storage, chatroomId);
      });
      if (room) readRevs.set(chatroomId, room.rev);
      return room;
    },
    updateRoom: (chatroomId, change) => {
      if (!isEnabled || isStopped) return;
      roomChanges.set(chatroomId, [...(roomChanges.get(chatroomId) ?? []), change]);
      schedule();
    },
    resync: async (api) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (!isEnabled || status !== 'ready' || isFromCopy) return;
      let since: Record<string, number> = {};
      await run('reading', async (storage) => {
        const inMemory = new Set(Object.keys(rooms.getState().rooms));
        const index = withoutRooms(await readRoomsIndex(storage), inMemory);
        const check = compareWithServer(index, current);
        since = { ...check.since };
        if (check.outdated.size > 0 && (await storage.isOwned())) {
          await updateRoomsIndex(storage, new Map(), check.outdated);
        }
      });
      const ids = Object.entries(since);
      for (let start = 0; start < ids.length; start += LIMITS.changesRoomsMax) {
        await resyncRooms(
          api,
          Object.fromEntries(ids.slice(start, start + LIMITS.changesRoomsMax)),
        );
      }
    },
    saveStartData: (now) => {
      startData = now;
      hasNewStartData = true;
      schedule();
    },
    setEnabled: (wanted) => {
      if (wanted === isEnabled) return;
      isEnabled = wanted;
      if (wanted) {
        storedChats = [];
        noteRooms(rooms.getState().rooms, {});
        hasNewStartData = startData !== undefined;
        schedule();
      } else {
        roomChanges.clear();
        changedRooms.clear();
        void run('erasing', eraseCopy);
      }
    },
    stop: async ({ isErasing = false } = {}) => {
      isStopped = true;
      unsubscribe.forEach((end) => end());
      clearTimeout(timer);
      if (isErasing) isEnabled = false;
      await flush();
    },
  };
}

function takeAll<K, V>(map: Map<K, V>): [K, V][] {
  const entries = [...map];
  map.clear();
  return entries;
}
