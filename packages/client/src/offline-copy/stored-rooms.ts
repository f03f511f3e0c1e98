import { ROOMS_INDEX, type UserStorage } from '../storage/user-storage.ts';
import type { Room } from '../stores/room.ts';
import {
  findDroppedRooms,
  findSurplusRooms,
  parseRoomsIndex,
  withoutRooms,
  type IndexEntry,
  type RoomsIndex,
} from './rooms-index.ts';
import { isAtLeastAsNew, parseStoredRoom, toStoredRoom, type StoredRoom } from './stored-room.ts';

/** Maximum number of stored chatrooms: the most recently shown. */
const ROOMS_KEPT = 200;

/** Resolves to a stored chatroom, or to undefined if it is not stored. */
export async function readStoredRoom(storage: UserStorage, id: string): Promise<Room | undefined> {
  return parseStoredRoom((await storage.get('rooms', id))?.value, id);
}

/** Resolves to all stored chatrooms. */
export async function readStoredRooms(storage: UserStorage): Promise<readonly Room[]> {
  const records = await storage.getAll('rooms');
  return records.flatMap(({ key, value }) => parseStoredRoom(value, key) ?? []);
}

/**
 * Stores a chatroom, unless a newer revision is stored.
 * @param isRestored whether the server was restored from a backup, which invalidates stored revisions
 */
export async function putStoredRoom(
  storage: UserStorage,
  room: StoredRoom,
  isRestored: boolean,
): Promise<void> {
  await storage.update('rooms', room.id, (record) => {
    const before = parseStoredRoom(record?.value, room.id);
    return before && !isRestored && !isAtLeastAsNew(room, before) ? 'keep' : { value: room };
  });
}

/** Changes a stored chatroom. Resolves to the result, or to undefined if it is not stored. */
export async function updateStoredRoom(
  storage: UserStorage,
  id: string,
  change: (room: Room) => Room,
): Promise<StoredRoom | undefined> {
  let changed: StoredRoom | undefined;
  await storage.update('rooms', id, (record) => {
    const before = parseStoredRoom(record?.value, id);
    const after = before && change(before);
    changed = after && toStoredRoom(after);
    return changed && after !== before ? { value: changed } : 'keep';
  });
  return changed;
}

/** Adds written chatrooms to the index. Deletes those that are gone, over the limit or not readable. */
export async function updateRoomsIndex(
  storage: UserStorage,
  written: ReadonlyMap<string, IndexEntry>,
  gone: ReadonlySet<string>,
): Promise<void> {
  let discarded = gone;
  await storage.update('meta', ROOMS_INDEX, (record) => {
    const before = parseRoomsIndex(record?.value);
    const next: Record<string, IndexEntry> = { ...withoutRooms(before, gone) };
    for (const [id, entry] of written) {
      next[id] = { ...entry, usedAt: Math.max(entry.usedAt, before[id]?.usedAt ?? 0) };
    }
    const surplus = findSurplusRooms(next, ROOMS_KEPT);
    discarded = new Set([...gone, ...surplus, ...findDroppedRooms(record?.value, next)]);
    return { value: withoutRooms(next, surplus) };
  });
  await Promise.all([...discarded].map((id) => storage.delete('rooms', id)));
}

/** Resolves to the index of the stored chatrooms. */
export async function readRoomsIndex(storage: UserStorage): Promise<RoomsIndex> {
  return parseRoomsIndex((await storage.get('meta', ROOMS_INDEX))?.value);
}
