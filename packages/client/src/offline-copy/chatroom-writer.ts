import type { UserStorage } from '../storage/user-storage.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import type { ChatroomEntry } from '../stores/loaded-chatrooms.ts';
import { toIndexEntry, type IndexEntry } from './chatrooms-index.ts';
import { toStoredChatroom } from './stored-chatroom.ts';
import {
  putStoredChatroom,
  updateChatroomsIndex,
  updateStoredChatroom,
} from './stored-chatrooms.ts';

/** The entries of the chatroom store by id. */
type ChatroomEntries = Readonly<Record<string, ChatroomEntry>>;

/** A writer of changed chatrooms to the offline copy. */
export interface ChatroomWriter {
  /** Records the entries that differ from an earlier state of the store. */
  recordEntries: (now: ChatroomEntries, before: ChatroomEntries) => void;
  /** Records a change of a stored chatroom that is not in memory. */
  recordChange: (chatroomId: string, change: (room: LoadedChatroom) => LoadedChatroom) => void;
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

/** Creates a writer without recorded changes. */
export function createChatroomWriter(): ChatroomWriter {
  /** Chatrooms to write, including those that are no longer in memory. */
  const changedChatrooms = new Map<string, ChatroomEntry>();
  const chatroomChanges = new Map<string, ((room: LoadedChatroom) => LoadedChatroom)[]>();
  /** Stored chatrooms to erase, before others are written. */
  const gone = new Set<string>();
  /** Revisions of chatrooms read from the copy. */
  const readRevs = new Map<string, Pick<LoadedChatroom, 'rev' | 'memberRev'>>();

  async function writeChatroom(storage: UserStorage, room: LoadedChatroom): Promise<IndexEntry> {
    const stored = toStoredChatroom(room);
    const { rev = 0, memberRev = 0 } = readRevs.get(room.id) ?? {};
    const isRestored = rev > room.rev || memberRev > room.memberRev;
    readRevs.delete(room.id);
    await putStoredChatroom(storage, stored, isRestored);
    return toIndexEntry(stored, Date.now());
  }

  function recordEntry(id: string, entry: ChatroomEntry): void {
    if (shouldErase(entry)) {
      gone.add(id);
      chatroomChanges.delete(id);
    }
    changedChatrooms.set(id, entry);
  }

  return {
    recordEntries: (now, before) => {
      for (const [id, entry] of Object.entries(now)) {
        if (entry !== before[id]) recordEntry(id, entry);
      }
    },
    recordChange: (chatroomId, change) => {
      chatroomChanges.set(chatroomId, [...(chatroomChanges.get(chatroomId) ?? []), change]);
    },
    recordRead: ({ id, rev, memberRev }) => {
      readRevs.set(id, { rev, memberRev });
    },
    isGone: (chatroomId) => gone.has(chatroomId),
    write: async (storage) => {
      const written = new Map<string, IndexEntry>();
      const erased = new Set(gone);
      if (erased.size > 0) await updateChatroomsIndex(storage, written, erased);
      for (const id of erased) gone.delete(id);
      for (const [id, changes] of takeAll(chatroomChanges)) {
        const room = await updateStoredChatroom(storage, id, (before) =>
          changes.reduce((current, change) => change(current), before),
        );
        if (room) written.set(id, toIndexEntry(room, 0));
      }
      for (const [id, entry] of takeAll(changedChatrooms)) {
        if (entry.status !== 'ready' || shouldErase(entry)) continue;
        if (!entry.isFromCopy) written.set(id, await writeChatroom(storage, entry.room));
      }
      if (written.size > 0) await updateChatroomsIndex(storage, written, new Set());
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
