import { LIMITS, type Message, type SearchConditions } from '@parley/contract';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import type { FindOptions, FoundMessages } from './find-messages.ts';
import { createMatcher } from './search-conditions.ts';

/** Begins the cursors of results on this device, which the server would not understand. */
const CURSOR_PREFIX = 'copy:';

/** Returns whether a cursor is of results on this device. */
export function isCopyCursor(cursor: string): boolean {
  return cursor.startsWith(CURSOR_PREFIX);
}

/** Searches in chatrooms on this device. Blocked ones are left out, unless one of them is searched. */
export function searchChatrooms(
  rooms: readonly LoadedChatroom[],
  conditions: SearchConditions,
  username: string,
  { order, limit = LIMITS.searchPageDefault, cursor }: FindOptions,
): FoundMessages {
  const match = createMatcher(conditions, username);
  const sign = order === 'oldest' ? 1 : -1;
  const compare = (a: Position, b: Position): number => sign * compareTime(a, b);
  const found = rooms
    .filter(({ id, status }) => status !== 'blocked' || id === conditions.chatroomId)
    .flatMap(({ messages, detached }) => detached?.messages.concat(messages) ?? messages)
    .flatMap((message) => match(message) ?? [])
    .toSorted((a, b) => compare(a.message, b.message));
  // Changes since the page before may have moved the others, so that no index can continue it.
  const last = cursor === undefined ? undefined : parsePosition(cursor);
  const rest = last ? found.filter(({ message }) => compare(message, last) > 0) : found;
  const hits = rest.slice(0, limit);
  const end = hits.length < rest.length ? hits.at(-1) : undefined;
  const total = Math.min(found.length, LIMITS.searchTotalMax);
  return { hits, cursor: end && toCursor(end.message), total, isOffline: true };
}

type Position = Pick<Message, 'createdAt' | 'chatroom' | 'seq'>;

function compareTime(a: Position, b: Position): number {
  return (
    Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
    (a.chatroom === b.chatroom ? a.seq - b.seq : a.chatroom < b.chatroom ? -1 : 1)
  );
}

function toCursor({ createdAt, chatroom, seq }: Position): string {
  return `${CURSOR_PREFIX}${createdAt}/${chatroom}/${seq}`;
}

function parsePosition(cursor: string): Position {
  const position = cursor.slice(CURSOR_PREFIX.length);
  const [createdAt = '', chatroom = '', seq = ''] = position.split('/');
  return { createdAt, chatroom, seq: Number(seq) };
}
