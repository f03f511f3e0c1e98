import { hasFields, isNumber } from '../api/responses.ts';
import { ROOMS_INDEX, type UserStorage } from '../storage/user-storage.ts';
import type { Chat } from '../stores/chat-list.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';

/** The properties of a stored chatroom that are kept in the index. */
export interface IndexEntry extends Pick<LoadedChatroom, 'rev' | 'memberRev' | 'unread'> {
  /** When the chatroom was last shown, in milliseconds since 1970. */
  usedAt: number;
}

/** The stored chatrooms by id. */
export type ChatroomsIndex = Readonly<Record<string, IndexEntry>>;

/** Maximum number of stored chatrooms: the most recently shown. */
const ROOMS_KEPT = 200;

/** Maximum number of revisions to resync. For more, loading the newest page is cheaper. */
export const RESYNC_MAX_REVS = 500;

const ENTRY_FIELDS = { rev: isNumber, memberRev: isNumber, unread: isNumber, usedAt: isNumber };

/** Creates the entry of a stored chatroom. */
export function toIndexEntry(
  { rev, memberRev, unread }: Omit<IndexEntry, 'usedAt'>,
  usedAt: number,
): IndexEntry {
  return { rev, memberRev, unread, usedAt };
}

/** Parses a stored index. Discards everything else. */
export function parseChatroomsIndex(value: unknown): ChatroomsIndex {
  const entries: [string, IndexEntry][] = Object.entries(value ?? {});
  return Object.fromEntries(entries.filter(([, entry]) => hasFields(entry, ENTRY_FIELDS)));
}

/** Resolves to the index of the stored chatrooms. */
export async function readChatroomsIndex(storage: UserStorage): Promise<ChatroomsIndex> {
  return parseChatroomsIndex((await storage.get('meta', ROOMS_INDEX))?.value);
}

/** Adds written chatrooms to the index. Deletes those that are gone, over the limit or not readable. */
export async function updateChatroomsIndex(
  storage: UserStorage,
  written: ReadonlyMap<string, IndexEntry>,
  gone: ReadonlySet<string> = new Set(),
): Promise<void> {
  let discarded: string[] = [];
  await storage.update('meta', ROOMS_INDEX, (record) => {
    const before = parseChatroomsIndex(record?.value);
    const next: Record<string, IndexEntry> = { ...withoutChatrooms(before, gone) };
    for (const [id, entry] of written) {
      next[id] = { ...entry, usedAt: Math.max(entry.usedAt, before[id]?.usedAt ?? 0) };
    }
    const value = withoutSurplus(next, ROOMS_KEPT);
    const known = new Set([...gone, ...Object.keys(record?.value ?? {}), ...written.keys()]);
    discarded = [...known].filter((id) => !(id in value));
    return { value };
  });
  await Promise.all(discarded.map((id) => storage.delete('rooms', id)));
}

/** Returns the index without the given chatrooms. */
export function withoutChatrooms(index: ChatroomsIndex, ids: ReadonlySet<string>): ChatroomsIndex {
  return Object.fromEntries(Object.entries(index).filter(([id]) => !ids.has(id)));
}

/** Returns the index of the `max` chatrooms that were shown most recently. */
export function withoutSurplus(index: ChatroomsIndex, max: number): ChatroomsIndex {
  const latestFirst = Object.entries(index).toSorted(([, a], [, b]) => b.usedAt - a.usedAt);
  return Object.fromEntries(latestFirst.slice(0, max));
}

/**
 * Compares stored chatrooms with the server's chat list. Returns the revisions from which chatrooms must be resynced,
 * and the chatrooms that are too far behind or no longer the user's.
 */
export function compareWithServer(
  index: ChatroomsIndex,
  chats: readonly Pick<Chat, 'id' | 'rev' | 'memberRev' | 'unread'>[],
): { since: Readonly<Record<string, number>>; outdated: ReadonlySet<string> } {
  const current = new Map(chats.map((chat) => [chat.id, chat]));
  const since: Record<string, number> = {};
  const outdated = new Set<string>();
  for (const [id, { rev, memberRev, unread }] of Object.entries(index)) {
    const chat = current.get(id);
    // Of a restored backup, both revisions may be lower.
    if (!chat || shouldReload(rev, chat.rev) || chat.memberRev < memberRev) outdated.add(id);
    else if (chat.rev > rev || chat.memberRev > memberRev || chat.unread !== unread) {
      since[id] = rev;
    }
  }
  return { since, outdated };
}

/**
 * Returns whether to reload a chatroom instead of resyncing it, because it is far behind the server
 * or ahead of one that was restored from a backup.
 */
export function shouldReload(rev: number, latest: number): boolean {
  return latest < rev || latest - rev > RESYNC_MAX_REVS;
}
