import { ROOMS_INDEX, type UserStorage } from '../storage/user-storage.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import {
  findDroppedChatrooms,
  findSurplusChatrooms,
  parseChatroomsIndex,
  withoutChatrooms,
  type IndexEntry,
  type ChatroomsIndex,
} from './chatrooms-index.ts';
import {
  isAtLeastAsNew,
  parseStoredChatroom,
  toStoredChatroom,
  type StoredChatroom,
} from './stored-chatroom.ts';

/** Maximum number of stored chatrooms: the most recently shown. */
const ROOMS_KEPT = 200;

/** Resolves to a stored chatroom, or to undefined if it is not stored. */
export async function readStoredChatroom(
  storage: UserStorage,
  id: string,
): Promise<LoadedChatroom | undefined> {
  return parseStoredChatroom((await storage.get('rooms', id))?.value, id);
}

/** Resolves to all stored chatrooms. */
export async function readStoredChatrooms(
  storage: UserStorage,
): Promise<readonly LoadedChatroom[]> {
  const records = await storage.getAll('rooms');
  return records.flatMap(({ key, value }) => parseStoredChatroom(value, key) ?? []);
}

/**
 * Stores a chatroom, unless a newer revision is stored.
 * @param isRestored whether the server was restored from a backup, which invalidates stored revisions
 */
export async function putStoredChatroom(
  storage: UserStorage,
  room: StoredChatroom,
  isRestored: boolean,
): Promise<void> {
  await storage.update('rooms', room.id, (record) => {
    const before = parseStoredChatroom(record?.value, room.id);
    return before && !isRestored && !isAtLeastAsNew(room, before) ? 'keep' : { value: room };
  });
}

/** Changes a stored chatroom. Resolves to the result, or to undefined if it is not stored. */
export async function updateStoredChatroom(
  storage: UserStorage,
  id: string,
  change: (room: LoadedChatroom) => LoadedChatroom,
): Promise<StoredChatroom | undefined> {
  let changed: StoredChatroom | undefined;
  await storage.update('rooms', id, (record) => {
    const before = parseStoredChatroom(record?.value, id);
    const after = before && change(before);
    changed = after && toStoredChatroom(after);
    return changed && after !== before ? { value: changed } : 'keep';
  });
  return changed;
}

/** Adds written chatrooms to the index. Deletes those that are gone, over the limit or not readable. */
export async function updateChatroomsIndex(
  storage: UserStorage,
  written: ReadonlyMap<string, IndexEntry>,
  gone: ReadonlySet<string>,
): Promise<void> {
  let discarded = gone;
  await storage.update('meta', ROOMS_INDEX, (record) => {
    const before = parseChatroomsIndex(record?.value);
    const next: Record<string, IndexEntry> = { ...withoutChatrooms(before, gone) };
    for (const [id, entry] of written) {
      next[id] = { ...entry, usedAt: Math.max(entry.usedAt, before[id]?.usedAt ?? 0) };
    }
    const surplus = findSurplusChatrooms(next, ROOMS_KEPT);
    discarded = new Set([...gone, ...surplus, ...findDroppedChatrooms(record?.value, next)]);
    return { value: withoutChatrooms(next, surplus) };
  });
  await Promise.all([...discarded].map((id) => storage.delete('rooms', id)));
}

/** Resolves to the index of the stored chatrooms. */
export async function readChatroomsIndex(storage: UserStorage): Promise<ChatroomsIndex> {
  return parseChatroomsIndex((await storage.get('meta', ROOMS_INDEX))?.value);
}
