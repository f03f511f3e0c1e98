import { BLOCK_SIZE, blockOf, segmentStart, SEGMENT_SIZE } from '../storage/search-blocks.ts';
import { findTimes } from '../messages/found-messages.service.ts';
import type { Reader } from '../storage/storage.ts';
import type { Effort } from './search-effort.ts';
import type { SearchableChatroom } from './search-index.repository.ts';

/** How many messages that are not indexed are read at once at most. */
export const UNINDEXED_MAX = 512;

/** A chatroom whose messages are being searched, from the newest one down or from the oldest one up. */
export interface Source {
  readonly chatroomId: string;
  readonly number: number;
  readonly indexedSeq: number;
  /** `seq` of the next message to look at, and of the last one. */
  next: number;
  end: number;
  /** No message from `next` on is newer than this; UTC milliseconds. */
  newestAt: number;
}

/** Consecutive messages of a chatroom that are looked at together. */
export interface Task {
  readonly source: Source;
  readonly first: number;
  readonly last: number;
  /** Whether they are in blocks of one segment. Otherwise they are in no block. */
  readonly isIndexed: boolean;
}

/** Creates the source of a chatroom. */
export function createSource(room: SearchableChatroom, isOldestFirst: boolean): Source {
  return {
    chatroomId: room.chatroom_id,
    number: room.number,
    indexedSeq: room.indexed_seq,
    next: isOldestFirst ? 1 : room.last_seq,
    end: isOldestFirst ? room.last_seq : 1,
    newestAt: room.newest_at,
  };
}

/** Returns whether all messages of a source have been looked at. */
export function isExhausted({ next, end }: Source, isOldestFirst: boolean): boolean {
  return isOldestFirst ? next > end : next < end;
}

/**
 * Returns the next messages of a source to look at.
 * @param unindexedMax maximum number of messages if they are in no block
 */
export function planTask(
  source: Source,
  isOldestFirst: boolean,
  unindexedMax = UNINDEXED_MAX,
): Task {
  const { next, end, indexedSeq } = source;
  const isIndexed = next <= indexedSeq;
  if (isOldestFirst) {
    const last = isIndexed
      ? Math.min(segmentStart(next) + SEGMENT_SIZE - 1, indexedSeq)
      : next + unindexedMax - 1;
    return { source, first: next, last: Math.min(last, end), isIndexed };
  }
  const first = isIndexed ? segmentStart(next) : Math.max(next - unindexedMax + 1, indexedSeq + 1);
  return { source, first: Math.max(first, end), last: next, isIndexed };
}

/** Plans consecutive tasks of a source. Messages that are in no block are only in the last one. */
export function planTasks(source: Source, isOldestFirst: boolean, count: number): Task[] {
  const tasks: Task[] = [];
  let { next } = source;
  while (tasks.length < count && !isExhausted({ ...source, next }, isOldestFirst)) {
    const task = { ...planTask({ ...source, next }, isOldestFirst), source };
    tasks.push(task);
    if (!task.isIndexed) break;
    next = isOldestFirst ? task.last + 1 : task.first - 1;
  }
  return tasks;
}

/** Returns the ids of the blocks that contain messages of a task. */
export function blockIdsOf({ source, first, last }: Task): { firstId: number; lastId: number } {
  return {
    firstId: blockOf(source.number, first).id,
    lastId: blockOf(source.number, last).id,
  };
}

/** Returns the part of a block that belongs to a task. */
export function blockRange(task: Task, firstSeq: number): { first: number; last: number } {
  return {
    first: Math.max(firstSeq, task.first),
    last: Math.min(firstSeq + BLOCK_SIZE - 1, task.last),
  };
}

/**
 * By how much the times of messages may differ from their order in a chatroom, because the clocks of servers
 * differ. In milliseconds.
 */
export const CLOCK_TOLERANCE = 1_000;

/**
 * Returns for each chatroom the `seq` of the last message that may have been sent until a time; 0 if there
 * is none.
 */
export async function seekTime(
  db: Reader,
  rooms: readonly { readonly chatroomId: string; readonly lastSeq: number }[],
  time: number,
  effort: Effort,
): Promise<Map<string, number>> {
  // Messages up to `low` were sent until the time, those from `high` on later.
  const searches = rooms.map(({ chatroomId, lastSeq }) => ({
    chatroomId,
    low: 0,
    high: lastSeq + 1,
  }));
  for (;;) {
    const open = searches.filter(({ low, high }) => high - low > 1);
    if (open.length === 0) break;
    const middles = open.map((search) => ({
      chatroomId: search.chatroomId,
      seq: Math.floor((search.low + search.high) / 2),
      search,
    }));
    effort.spend('time', middles.length);
    const times = await findTimes(db, middles);
    for (const { search, seq } of middles) {
      const isUntil = (times.get(search.chatroomId) ?? 0) <= time + CLOCK_TOLERANCE;
      if (isUntil) search.low = seq;
      else search.high = seq;
    }
  }
  return new Map(searches.map(({ chatroomId, high }) => [chatroomId, high - 1]));
}
