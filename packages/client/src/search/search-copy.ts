import type { Message, SearchConditions, SearchHit } from '@parley/contract';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { createMatcher } from './match-message.ts';

/** The order of results. */
export type HitOrder = 'newest' | 'oldest';

interface CopySearchOptions {
  username: string;
  order: HitOrder;
  limit: number;
  /** The position after which the page starts, from the page before. */
  cursor: string | undefined;
}

/** A page of results in chatrooms on this device. */
interface CopyPage {
  hits: readonly SearchHit[];
  cursor: string | undefined;
  /** Number of all results. */
  total: number;
}

/** Searches in chatrooms on this device. Blocked ones are left out, unless one of them is searched. */
export function searchChatrooms(
  rooms: readonly LoadedChatroom[],
  conditions: SearchConditions,
  { username, order, limit, cursor }: CopySearchOptions,
): CopyPage {
  const match = createMatcher(conditions, username);
  const compare = order === 'oldest' ? compareTime : compareTimeDescending;
  const found = rooms
    .filter(({ id, status }) => status !== 'blocked' || id === conditions.chatroomId)
    .flatMap(messagesOf)
    .flatMap((message) => match(message) ?? [])
    .toSorted((a, b) => compare(a.message, b.message));
  // Changes since the page before may have moved the others, so that no index can continue it.
  const last = cursor === undefined ? undefined : parsePosition(cursor);
  const rest = last ? found.filter(({ message }) => compare(message, last) > 0) : found;
  const hits = rest.slice(0, limit);
  const end = hits.length < rest.length ? hits.at(-1) : undefined;
  return { hits, cursor: end && toPosition(end.message), total: found.length };
}

/** Returns the loaded messages of a chatroom: the newest, and those around a message jumped to. */
function messagesOf({ messages, detached }: LoadedChatroom): readonly Message[] {
  return detached ? [...detached.messages, ...messages] : messages;
}

type Position = Pick<Message, 'createdAt' | 'chatroom' | 'seq'>;

function compareTime(a: Position, b: Position): number {
  return (
    Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
    (a.chatroom === b.chatroom ? a.seq - b.seq : a.chatroom < b.chatroom ? -1 : 1)
  );
}

function compareTimeDescending(a: Position, b: Position): number {
  return compareTime(b, a);
}

function toPosition({ createdAt, chatroom, seq }: Position): string {
  return `${createdAt}/${chatroom}/${seq}`;
}

function parsePosition(cursor: string): Position {
  const [createdAt = '', chatroom = '', seq = ''] = cursor.split('/');
  return { createdAt, chatroom, seq: Number(seq) };
}
