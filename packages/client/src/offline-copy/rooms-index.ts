import { hasFields, isNumber } from '../api/responses.ts';

/** What has to be known of a stored room without reading it. */
export interface IndexEntry {
  rev: number;
  unread: number;
  /** When it was shown last, in milliseconds since 1970. */
  usedAt: number;
}

/** The rooms that are stored, by id. */
export type RoomsIndex = Readonly<Record<string, IndexEntry>>;

/** Returns a stored index; an empty one for anything else. */
export function parseRoomsIndex(value: unknown): RoomsIndex {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, IndexEntry] =>
      hasFields(entry[1], { rev: isNumber, unread: isNumber, usedAt: isNumber }),
    ),
  );
}

/** Returns the index without some rooms. */
export function withoutRooms(index: RoomsIndex, ids: ReadonlySet<string>): RoomsIndex {
  return Object.fromEntries(Object.entries(index).filter(([id]) => !ids.has(id)));
}

/** Returns which rooms are too many: those that were shown the longest time ago. */
export function findSurplusRooms(index: RoomsIndex, max: number): ReadonlySet<string> {
  return new Set(
    Object.entries(index)
      .toSorted(([, a], [, b]) => b.usedAt - a.usedAt)
      .slice(max)
      .map(([id]) => id),
  );
}

/** How stored rooms compare with the server's. */
export interface RoomsComparison {
  /** The revision from which each room has to catch up. */
  since: Readonly<Record<string, number>>;
  /** Rooms that are not worth it, or not the user's any more. */
  outdated: ReadonlySet<string>;
}

/** Changes of a room from which on its newest page costs less than catching up. */
export const RESYNC_MAX_REVS = 500;

/** Compares stored rooms with the server's chat list. */
export function compareWithServer(
  index: RoomsIndex,
  chats: readonly { id: string; rev: number; unread: number }[],
): RoomsComparison {
  const current = new Map(chats.map((chat) => [chat.id, chat]));
  const since: Record<string, number> = {};
  const outdated = new Set<string>();
  for (const [id, { rev, unread }] of Object.entries(index)) {
    const chat = current.get(id);
    if (!chat || shouldReload(rev, chat.rev)) outdated.add(id);
    else if (chat.rev > rev || chat.unread !== unread) since[id] = rev;
  }
  return { since, outdated };
}

/** Whether a room must be loaded anew: it is far behind, or ahead of a server that was restored from a backup. */
export function shouldReload(rev: number, latest: number): boolean {
  return latest < rev || latest - rev > RESYNC_MAX_REVS;
}
