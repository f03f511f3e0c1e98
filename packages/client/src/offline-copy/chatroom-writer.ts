import type { UserStorage } from '../storage/user-storage.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import type { ChatroomEntry, ChatroomsState } from '../stores/loaded-chatrooms.ts';
import { toIndexEntry, updateChatroomsIndex, type IndexEntry } from './chatrooms-index.ts';
import { putStoredChatroom, updateStoredChatroom } from './stored-chatroom.ts';

/** A writer of changed chatrooms to the offline copy. */
export interface ChatroomWriter {
  /** Records the entries that differ from an earlier state of the store. */
  recordEntries: (now: ChatroomsState['rooms'], before: ChatroomsState['rooms']) => void;
  /** Records a change of a stored chatroom that is not in memory. */
  recordChange: (chatroomId: string, change: ChangeRoom) => void;
  /**
   * Records the revisions of a chatroom read from the copy. If the chatroom is then written with a
   * lower one, the server was restored from a backup.
   */
  recordRead: (room: LoadedChatroom) => void;
  /** Returns whether a stored chatroom is to be erased. */
  isGone: (chatroomId: string) => boolean;
  /** Writes the recorded chatrooms and changes. */
  write: (storage: UserStorage) => Promise<void>;
  /** Discards the recorded chatrooms and changes. */
  clear: () => void;
}

type ChangeRoom = (room: LoadedChatroom) => LoadedChatroom;

/** Creates a writer without recorded changes. */
export function createChatroomWriter(): ChatroomWriter {
  /** Chatrooms to write, including those that are no longer in memory. */
  const changedChatrooms = new Map<string, ChatroomEntry>();
  /** Changes of stored chatrooms that are not in memory. */
  const chatroomChanges = new Map<string, ChangeRoom>();
  /** Stored chatrooms to erase, before others are written. */
  const gone = new Set<string>();
  /** Revisions of chatrooms read from the copy. */
  const readRevs = new Map<string, Pick<LoadedChatroom, 'rev' | 'memberRev'>>();

  return {
    recordEntries: (now, before) => {
      for (const [id, entry] of Object.entries(now)) {
        if (entry === before[id]) continue;
        changedChatrooms.set(id, entry);
        if (!shouldErase(entry)) continue;
        gone.add(id);
        chatroomChanges.delete(id);
      }
    },
    recordChange: (id, change) => {
      const earlier = chatroomChanges.get(id);
      chatroomChanges.set(id, earlier ? (room) => change(earlier(room)) : change);
    },
    recordRead: ({ id, rev, memberRev }) => readRevs.set(id, { rev, memberRev }),
    isGone: (chatroomId) => gone.has(chatroomId),
    write: async (storage) => {
      const written = new Map<string, IndexEntry>();
      const erased = new Set(gone);
      if (erased.size > 0) await updateChatroomsIndex(storage, written, erased);
      for (const id of erased) gone.delete(id);
      for (const [id, change] of takeAll(chatroomChanges)) {
        const room = await updateStoredChatroom(storage, id, change);
        if (room) written.set(id, toIndexEntry(room, 0));
      }
      for (const [id, entry] of takeAll(changedChatrooms)) {
        if (entry.status !== 'ready' || entry.isFromCopy || shouldErase(entry)) continue;
        const { room } = entry;
        const { rev = 0, memberRev = 0 } = readRevs.get(id) ?? {};
        readRevs.delete(id);
        await putStoredChatroom(storage, room, rev > room.rev || memberRev > room.memberRev);
        written.set(id, toIndexEntry(room, Date.now()));
      }
      if (written.size > 0) await updateChatroomsIndex(storage, written);
    },
    clear: () => {
      chatroomChanges.clear();
      changedChatrooms.clear();
      gone.clear();
    },
  };
}

/** Returns whether a chatroom may not be stored: one that is not the user's, or a blocked one. */
function shouldErase(entry: ChatroomEntry): boolean {
  return entry.status === 'missing'
    ? !entry.isUnconfirmed
    : entry.status === 'ready' && entry.room.status === 'blocked';
}

function takeAll<K, V>(map: Map<K, V>): [K, V][] {
  const entries = [...map];
  map.clear();
  return entries;
}
