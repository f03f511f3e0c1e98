import { LIMITS, type Changes, type CurrentUser, type PublicConfig } from '@parley/contract';
import type { ApiClient } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import { eraseCopy, START_DATA_KEY, type UserStorage } from '../storage/user-storage.ts';
import { mergeChat, type Chat } from '../stores/chat-list.ts';
import type { ClientStores } from '../client-stores.ts';
import { withChanges, type LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import { parseStoredChats } from './stored-chats.ts';
import { createChatroomWriter } from './chatroom-writer.ts';
import {
  compareWithServer,
  toIndexEntry,
  withoutChatrooms,
  type IndexEntry,
} from './chatrooms-index.ts';
import { toStoredChatroom } from './stored-chatroom.ts';
import {
  putStoredChatroom,
  readChatroomsIndex,
  readStoredChatroom,
  readStoredChatrooms,
  updateChatroomsIndex,
  updateStoredChatroom,
} from './stored-chatrooms.ts';

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
  const run = createTaskQueue(opened, platform.logFailure);
  const runWrite = (task: (storage: UserStorage) => Promise<void>): Promise<void> =>
    run('writing', (storage) => writeOwned(storage, () => isEnabled, task));
  const chatList = createStoredChatList(chats);
  const chatroomWriter = createChatroomWriter();
  let startData: StoredStartData | undefined;
  let hasNewStartData = false;

  function schedule(): void {
    if (!isEnabled || isStopped) return;
    timer ??= setTimeout(flush, timing.copyWriteThrottle);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return runWrite(write);
  }

  async function write(storage: UserStorage): Promise<void> {
    await chatList.write(storage);
    if (hasNewStartData && startData) {
      hasNewStartData = false;
      await storage.put('meta', START_DATA_KEY, { value: startData });
    }
    await chatroomWriter.write(storage);
  }

  async function show(storage: UserStorage): Promise<void> {
    if (!isEnabled) {
      await eraseCopy(storage);
      return;
    }
    await chatList.show(storage);
    schedule();
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
  void run('reading', show);

  return {
    findChatroom: async (chatroomId) => {
      let room: LoadedChatroom | undefined;
      await run('reading', async (storage) => {
        if (!isEnabled || chatroomWriter.isGone(chatroomId)) return;
        room = await readStoredChatroom(storage, chatroomId);
      });
      if (room) chatroomWriter.recordRead(room);
      return room;
    },
    readChatrooms: async () => {
      let stored: readonly LoadedChatroom[] = [];
      // Applies the latest deletions first.
      void flush();
      await run('reading', async (storage) => {
        if (isEnabled && (await storage.isOwned())) stored = await readStoredChatrooms(storage);
      });
      return stored.filter(({ id }) => !chatroomWriter.isGone(id));
    },
    findMissing: async (chatroomIds) => {
      let missing: string[] = [];
      await run('reading', async (storage) => {
        if (!isEnabled || !(await storage.isOwned())) return;
        const index = await readChatroomsIndex(storage);
        const isKnown = (id: string): boolean => id in index || id in rooms.getState().rooms;
        missing = chatroomIds.filter((id) => !isKnown(id));
      });
      return missing;
    },
    addChatroom: (room) =>
      runWrite(async (storage) => {
        const { id } = room;
        if (isStopped) return;
        if (chatroomWriter.isGone(id) || id in rooms.getState().rooms) return;
        await putStoredChatroom(storage, toStoredChatroom(room), false);
        const usedAt = Date.parse(room.messages.at(-1)?.createdAt ?? '') || 0;
        await updateChatroomsIndex(storage, new Map([[id, toIndexEntry(room, usedAt)]]), new Set());
      }),
    updateChatroom: (chatroomId, change) => {
      if (!isEnabled || isStopped) return;
      chatroomWriter.recordChange(chatroomId, change);
      schedule();
    },
    resync: async (api) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (!isEnabled || status !== 'ready' || isFromCopy) return;
      let since: Readonly<Record<string, number>> = {};
      await runWrite(async (storage) => {
        const inMemory = new Set(Object.keys(rooms.getState().rooms));
        since = await discardOutdatedChatrooms(storage, current, inMemory);
      });
      await fetchAllChanges(api, since, (changes) =>
        runWrite((storage) => applyChanges(storage, changes)),
      );
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
        chatList.reset();
        chatroomWriter.recordEntries(rooms.getState().rooms, {});
        hasNewStartData = startData !== undefined;
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

/** Runs a task once the previous ones are done. Logs a failure and never rejects. */
type RunTask = (what: string, task: (storage: UserStorage) => Promise<void>) => Promise<void>;

function createTaskQueue(opened: OpenedUserStorage, logFailure: Platform['logFailure']): RunTask {
  let queue: Promise<void> = Promise.resolve();
  return (what, task) => {
    const before = queue;
    queue = (async () => {
      await before;
      try {
        const storage = await opened;
        if (storage) await task(storage);
      } catch (error) {
        logFailure(`${what} the offline copy`, error);
      }
    })();
    return queue;
  };
}

/** Writes while the copy is on and the storage is the user's. */
async function writeOwned(
  storage: UserStorage,
  isEnabled: () => boolean,
  task: (storage: UserStorage) => Promise<void>,
): Promise<void> {
  if (!isEnabled() || !(await storage.isOwned())) return;
  await task(storage);
  // Another tab may have erased the storage in the meantime. Erases the records written since.
  if (!(await storage.isOwned())) await eraseCopy(storage);
}

/** The chat list of the offline copy. */
interface StoredChatList {
  /** Reads the stored list and shows it, unless the server's list is already loaded. */
  show: (storage: UserStorage) => Promise<void>;
  /** Writes the list of the store, unless it is stored already or comes from the copy. */
  write: (storage: UserStorage) => Promise<void>;
  /** Forgets what is stored, so that the list is written again. */
  reset: () => void;
}

function createStoredChatList(chats: ClientStores['chats']): StoredChatList {
  /** The stored list, undefined until it is read. */
  let stored: readonly Chat[] | undefined;
  return {
    show: async (storage) => {
      const found = parseStoredChats((await storage.get('chats', CHAT_LIST))?.value);
      stored = found ?? [];
      if (found) chats.getState().setFromCopy(found);
    },
    write: async (storage) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (status !== 'ready' || isFromCopy || stored === undefined) return;
      if (current === stored) return;
      const known = new Map(stored.map((chat) => [chat.id, chat]));
      stored = current;
      await storage.update('chats', CHAT_LIST, (record) => {
        const before = parseStoredChats(record?.value) ?? [];
        return { value: mergeStored(before, current, known) };
      });
    },
    reset: () => {
      stored = [];
    },
  };
}

/**
 * Returns the list to store: that of this tab, in which another tab may have stored newer chats.
 * @param known what this tab had stored before
 */
function mergeStored(
  before: readonly Chat[],
  current: readonly Chat[],
  known: ReadonlyMap<string, Chat>,
): Chat[] {
  const stored = new Map(before.map((chat) => [chat.id, chat]));
  return current.map((chat) => {
    const other = stored.get(chat.id);
    const earlier = known.get(chat.id);
    // After a restored backup the server's revisions are lower. They still take precedence.
    const isRestored = earlier && (chat.rev < earlier.rev || chat.memberRev < earlier.memberRev);
    return other && !isRestored ? mergeChat(other, chat) : chat;
  });
}

/**
 * Discards stored chatrooms that are too far behind or no longer the user's. Resolves to the
 * revisions from which the other ones must be resynced.
 */
async function discardOutdatedChatrooms(
  storage: UserStorage,
  chats: readonly Chat[],
  inMemory: ReadonlySet<string>,
): Promise<Readonly<Record<string, number>>> {
  const index = withoutChatrooms(await readChatroomsIndex(storage), inMemory);
  const { since, outdated } = compareWithServer(index, chats);
  if (outdated.size > 0) await updateChatroomsIndex(storage, new Map(), outdated);
  return since;
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
