import type { UserStorage } from '../storage/user-storage.ts';
import { withRoomRead, type Room } from '../stores/room.ts';
import type { RoomEntry } from '../stores/rooms.ts';
import { toIndexEntry, type IndexEntry } from './rooms-index.ts';
import { toStoredRoom } from './stored-room.ts';
import { putStoredRoom, updateRoomsIndex, updateStoredRoom } from './stored-rooms.ts';

/** The entries of the chatroom store by id. */
type RoomEntries = Readonly<Record<string, RoomEntry>>;

/** A writer of changed chatrooms to the offline copy. */
export interface RoomWriter {
  /** Records the entries that differ from an earlier state of the store. */
  recordEntries: (now: RoomEntries, before: RoomEntries) => void;
  /** Records a change of a stored chatroom that is not in memory. */
  recordChange: (chatroomId: string, change: (room: Room) => Room) => void;
  /**
   * Records the revisions of a chatroom read from the copy. If the chatroom is then written with a
   * lower one, the server was restored from a backup.
   */
  recordRead: (room: Room) => void;
  /** Returns whether a stored chatroom is to be erased. */
  isGone: (chatroomId: string) => boolean;
  /** Writes the recorded chatrooms and changes. */
  write: (storage: UserStorage) => Promise<void>;
  /** Discards the recorded chatrooms and changes. */
  clear: () => void;
}

/** Creates a writer without recorded changes. */
export function createRoomWriter(): RoomWriter {
  /** Chatrooms to write, including those that are no longer in memory. */
  const changedRooms = new Map<string, RoomEntry>();
  const roomChanges = new Map<string, ((room: Room) => Room)[]>();
  /** Stored chatrooms to erase, before others are written. */
  const gone = new Set<string>();
  /** Revisions of chatrooms read from the copy. */
  const readRevs = new Map<string, Pick<Room, 'rev' | 'memberRev'>>();

  async function writeRoom(storage: UserStorage, room: Room): Promise<IndexEntry> {
    const stored = toStoredRoom(room);
    const { rev = 0, memberRev = 0 } = readRevs.get(room.id) ?? {};
    const isRestored = rev > room.rev || memberRev > room.memberRev;
    readRevs.delete(room.id);
    await putStoredRoom(storage, stored, isRestored);
    return toIndexEntry(stored, Date.now());
  }

  /** Writes what was read of a stored chatroom without a connection. Nothing else of it is new. */
  async function writeRead(
    storage: UserStorage,
    { id, readSeq, unread }: Room,
  ): Promise<IndexEntry | undefined> {
    const stored = await updateStoredRoom(storage, id, (before) =>
      before.readSeq < readSeq ? withRoomRead(before, readSeq, unread) : before,
    );
    return stored && toIndexEntry(stored, Date.now());
  }

  function recordEntry(id: string, entry: RoomEntry): void {
    if (shouldErase(entry)) {
      gone.add(id);
      roomChanges.delete(id);
    }
    changedRooms.set(id, entry);
  }

  return {
    recordEntries: (now, before) => {
      for (const [id, entry] of Object.entries(now)) {
        if (entry !== before[id]) recordEntry(id, entry);
      }
    },
    recordChange: (chatroomId, change) => {
      roomChanges.set(chatroomId, [...(roomChanges.get(chatroomId) ?? []), change]);
    },
    recordRead: ({ id, rev, memberRev }) => {
      readRevs.set(id, { rev, memberRev });
    },
    isGone: (chatroomId) => gone.has(chatroomId),
    write: async (storage) => {
      const written = new Map<string, IndexEntry>();
      const erased = new Set(gone);
      if (erased.size > 0) await updateRoomsIndex(storage, written, erased);
      for (const id of erased) gone.delete(id);
      for (const [id, changes] of takeAll(roomChanges)) {
        const room = await updateStoredRoom(storage, id, (before) =>
          changes.reduce((current, change) => change(current), before),
        );
        if (room) written.set(id, toIndexEntry(room, 0));
      }
      for (const [id, entry] of takeAll(changedRooms)) {
        if (entry.status !== 'ready' || shouldErase(entry)) continue;
        const { room, isFromCopy } = entry;
        const index = await (isFromCopy ? writeRead(storage, room) : writeRoom(storage, room));
        if (index) written.set(id, index);
      }
      if (written.size > 0) await updateRoomsIndex(storage, written, new Set());
    },
    clear: () => {
      roomChanges.clear();
      changedRooms.clear();
      gone.clear();
    },
  };
}

/** Returns whether a chatroom may not be stored: one that is not the user's, or a blocked one. */
function shouldErase(entry: RoomEntry): boolean {
  return entry.status === 'missing'
    ? !entry.isUnconfirmed
    : entry.status === 'ready' && entry.room.status === 'blocked';
}

function takeAll<K, V>(map: Map<K, V>): [K, V][] {
  const entries = [...map];
  map.clear();
  return entries;
}
