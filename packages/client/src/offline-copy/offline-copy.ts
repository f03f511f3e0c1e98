import { LIMITS, type Changes, type CurrentUser, type PublicConfig } from '@parley/contract';
import type { ApiClient } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import { eraseCopy, START_DATA_KEY, type UserStorage } from '../storage/user-storage.ts';
import type { ClientStores } from '../client-stores.ts';
import { withChanges, type LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { createChatroomWriter } from './chatroom-writer.ts';
import {
  compareWithServer,
  readChatroomsIndex,
  toIndexEntry,
  updateChatroomsIndex,
  withoutChatrooms,
  type IndexEntry,
} from './chatrooms-index.ts';
import {
  putStoredChatroom,
  readStoredChatroom,
  readStoredChatrooms,
  updateStoredChatroom,
} from './stored-chatroom.ts';
import { createStoredChatList } from './stored-chats.ts';

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
  findChatroom: (chatroomId: string) => Promise<LoadedChatroom | undefined>;
  /** Reads all stored chatrooms. Resolves to none while the copy is off. */
  readChatrooms: () => Promise<readonly LoadedChatroom[]>;
  /** Returns those of the given chatrooms that are not stored. None while the copy is off. */
  findMissing: (chatroomIds: readonly string[]) => Promise<string[]>;
  /** Stores a chatroom that is neither stored nor in memory. */
  addChatroom: (room: LoadedChatroom) => Promise<void>;
  /** Updates a stored chatroom that is not in memory. */
  updateChatroom: (chatroomId: string, change: (room: LoadedChatroom) => LoadedChatroom) => void;
  /** Resyncs stored chatrooms that are not in memory, so that deleted messages do not remain stored. */
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

/** Creates the offline copy and shows its chat list until the server's is loaded. */
export function createOfflineCopy(deps: OfflineCopyDeps): OfflineCopy {
  const { opened, stores, platform, timing = DEFAULT_TIMING } = deps;
  const { chats, rooms } = stores;
  let { isEnabled } = deps;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const chatList = createStoredChatList(chats);
  const chatroomWriter = createChatroomWriter();
  let startData: StoredStartData | undefined;
  let storedStartData: StoredStartData | undefined;

  /** Runs a task once the previous ones are done. Logs a failure and never rejects. */
  function run<T>(
    what: string,
    task: (storage: UserStorage) => Promise<T>,
  ): Promise<T | undefined> {
    const before = queue;
    const result = (async () => {
      await before;
      try {
        const storage = await opened;
        return storage && (await task(storage));
      } catch (error) {
        platform.logFailure(`${what} the offline copy`, error);
        return undefined;
      }
    })();
    queue = result;
    return result;
  }

  /** Reads while the copy is on and the storage is the user's. */
  function runRead<T>(task: (storage: UserStorage) => Promise<T>): Promise<T | undefined> {
    return run('reading', async (storage) => {
      if (!isEnabled) return undefined;
      const [found, isOwned] = await Promise.all([task(storage), storage.isOwned()]);
      return isOwned ? found : undefined;
    });
  }

  /** Writes while the copy is on and the storage is the user's. */
  function runWrite<T>(task: (storage: UserStorage) => Promise<T>): Promise<T | undefined> {
    return run('writing', async (storage) => {
      if (!isEnabled || !(await storage.isOwned())) return undefined;
      const result = await task(storage);
      // Another tab may have erased the storage in the meantime. Erases the records written since.
      if (!(await storage.isOwned())) await eraseCopy(storage);
      return result;
    });
  }

  function schedule(): void {
    if (!isEnabled || isStopped) return;
    timer ??= setTimeout(flush, timing.copyWriteThrottle);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await runWrite(async (storage) => {
      await chatList.write(storage);
      if (startData !== storedStartData) {
        storedStartData = startData;
        await storage.put('meta', START_DATA_KEY, { value: startData });
      }
      await chatroomWriter.write(storage);
    });
  }

  const unsubscribe = [
    chats.subscribe((state, before) => {
      if (state.chats !== before.chats || state.isFromCopy !== before.isFromCopy) schedule();
    }),
    rooms.subscribe((state, before) => {
      if (state.rooms === before.rooms) return;
      chatroomWriter.recordEntries(state.rooms, before.rooms);
      schedule();
    }),
    platform.onHidden(() => void flush()),
  ];
  void run('reading', async (storage) => {
    if (!isEnabled) {
      await eraseCopy(storage);
      return;
    }
    await chatList.show(storage);
    schedule();
  });

  return {
    findChatroom: async (chatroomId) => {
      const room = await runRead(async (storage) =>
        chatroomWriter.isGone(chatroomId) ? undefined : readStoredChatroom(storage, chatroomId),
      );
      if (room) chatroomWriter.recordRead(room);
      return room;
    },
    readChatrooms: async () => {
      // Applies the latest deletions first.
      void flush();
      const stored = (await runRead(readStoredChatrooms)) ?? [];
      return stored.filter(({ id }) => !chatroomWriter.isGone(id));
    },
    findMissing: async (chatroomIds) => {
      const index = await runRead(readChatroomsIndex);
      if (!index) return [];
      return chatroomIds.filter((id) => !(id in index || id in rooms.getState().rooms));
    },
    addChatroom: (room) =>
      runWrite(async (storage) => {
        const { id } = room;
        if (isStopped) return;
        if (chatroomWriter.isGone(id) || id in rooms.getState().rooms) return;
        await putStoredChatroom(storage, room);
        const usedAt = Date.parse(room.messages.at(-1)?.createdAt ?? '') || 0;
        await updateChatroomsIndex(storage, new Map([[id, toIndexEntry(room, usedAt)]]));
      }),
    updateChatroom: (chatroomId, change) => {
      if (!isEnabled || isStopped) return;
      chatroomWriter.recordChange(chatroomId, change);
      schedule();
    },
    resync: async (api) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (!isEnabled || status !== 'ready' || isFromCopy) return;
      const since = await runWrite(async (storage) => {
        const inMemory = new Set(Object.keys(rooms.getState().rooms));
        const index = withoutChatrooms(await readChatroomsIndex(storage), inMemory);
        const compared = compareWithServer(index, current);
        if (compared.outdated.size > 0) {
          await updateChatroomsIndex(storage, new Map(), compared.outdated);
        }
        return compared.since;
      });
      await fetchAllChanges(api, since ?? {}, (changes) =>
        runWrite((storage) => applyChanges(storage, changes)),
      );
    },
    saveStartData: (now) => {
      startData = now;
      schedule();
    },
    setEnabled: (wanted) => {
      if (wanted === isEnabled) return;
      isEnabled = wanted;
      if (wanted) {
        chatList.reset();
        chatroomWriter.recordEntries(rooms.getState().rooms, {});
        storedStartData = undefined;
        schedule();
      } else {
        chatroomWriter.clear();
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

/** Fetches the changes of chatrooms since the given revisions, and applies each response. */
async function fetchAllChanges(
  api: ApiClient,
  since: Readonly<Record<string, number>>,
  apply: (changes: Changes) => Promise<void>,
): Promise<void> {
  const all = Object.entries(since);
  for (let start = 0; start < all.length; start += LIMITS.changesChatroomsMax) {
    const revs = Object.fromEntries(all.slice(start, start + LIMITS.changesChatroomsMax));
    let hasMore = true;
    while (hasMore) {
      const changes = await api.call('listChanges', { body: { since: revs } });
      const hasAdvanced = changes.rooms.some(({ chat, rev }) => rev > (revs[chat.chatId] ?? 0));
      await apply(changes);
      for (const { chat, rev } of changes.rooms) revs[chat.chatId] = rev;
      for (const id of changes.gone) delete revs[id];
      hasMore = changes.hasMore && hasAdvanced;
    }
  }
}

/** Applies changes to stored chatrooms that are not in memory. */
async function applyChanges(storage: UserStorage, changes: Changes): Promise<void> {
  const written = new Map<string, IndexEntry>();
  const gone = new Set(changes.gone);
  for (const changed of changes.rooms) {
    const { chatId, status } = changed.chat;
    if (status === 'blocked') {
      gone.add(chatId);
      continue;
    }
    const room = await updateStoredChatroom(storage, chatId, (kept) => withChanges(kept, changed));
    if (room) written.set(room.id, toIndexEntry(room, 0));
  }
  await updateChatroomsIndex(storage, written, gone);
}
