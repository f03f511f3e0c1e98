import { hasFields, isNumber } from '../api/responses.ts';
import type { Chat } from '../stores/chat-list.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';

/** The properties of a stored chatroom that are kept in the index. */
export interface IndexEntry {
  rev: number;
  memberRev: number;
  unread: number;
  /** When the chatroom was last shown, in milliseconds since 1970. */
  usedAt: number;
}

/** Creates the entry of a stored chatroom. */
export function toIndexEntry(
  { rev, memberRev, unread }: Pick<LoadedChatroom, 'rev' | 'memberRev' | 'unread'>,
  usedAt: number,
): IndexEntry {
  return { rev, memberRev, unread, usedAt };
}

/** The stored chatrooms by id. */
export type ChatroomsIndex = Readonly<Record<string, IndexEntry>>;

/** Parses a stored index. Returns an empty index for any other value. */
export function parseChatroomsIndex(value: unknown): ChatroomsIndex {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, IndexEntry] =>
      hasFields(entry[1], {
        rev: isNumber,
        memberRev: isNumber,
        unread: isNumber,
        usedAt: isNumber,
      }),
    ),
  );
}

/**
 * Finds the chatrooms of a stored index that are not in the next one, such as those that an earlier version of the
 * client has stored in another format.
 */
export function findDroppedChatrooms(value: unknown, next: ChatroomsIndex): string[] {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).filter((id) => !(id in next))
    : [];
}

/** Returns the index without the given chatrooms. */
export function withoutChatrooms(index: ChatroomsIndex, ids: ReadonlySet<string>): ChatroomsIndex {
  return Object.fromEntries(Object.entries(index).filter(([id]) => !ids.has(id)));
}

/** Finds the chatrooms beyond `max`: the least recently shown. */
export function findSurplusChatrooms(index: ChatroomsIndex, max: number): ReadonlySet<string> {
  return new Set(
    Object.entries(index)
      .toSorted(([, a], [, b]) => b.usedAt - a.usedAt)
      .slice(max)
      .map(([id]) => id),
  );
}

/** The result of comparing stored chatrooms with the server's chat list. */
export interface ChatroomsComparison {
  /** The revisions from which chatrooms must be resynced. */
  since: Readonly<Record<string, number>>;
  /** Chatrooms that are too far behind or no longer the user's. */
  outdated: ReadonlySet<string>;
}

/** Maximum number of revisions to resync. For more, loading the newest page is cheaper. */
export const RESYNC_MAX_REVS = 500;

/** Compares stored chatrooms with the server's chat list. */
export function compareWithServer(
  index: ChatroomsIndex,
  chats: readonly Pick<Chat, 'id' | 'rev' | 'memberRev' | 'unread'>[],
): ChatroomsComparison {
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
