import { LIMITS } from '@parley/contract';
import type { VisibleMessage } from '../messages/found-messages.service.ts';
import type { Reader } from '../storage/storage.ts';
import type { Conditions, Cursor } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import type { SearchableChatroom } from './search-index.repository.ts';
import { matchTasks, type TaskResult } from './search-matches.ts';
import {
  CLOCK_TOLERANCE,
  createSource,
  isExhausted,
  planTasks,
  seekTime,
  type Source,
} from './search-source.ts';
import { listHits } from './visible-hits.ts';

/** A page of found messages. */
export interface FoundPage {
  readonly hits: readonly VisibleMessage[];
  /** Undefined at the end. */
  readonly cursor: Cursor | undefined;
  readonly total?: number | undefined;
}

/** Number of segments that are looked at together at most. */
const TASKS_MAX = 32;

/** Searches the messages of one chatroom. */
export async function searchChatroom(
  db: Reader,
  userId: string,
  room: SearchableChatroom,
  conditions: Conditions,
  effort: Effort,
): Promise<FoundPage> {
  const { isOldestFirst, limit, cursor } = conditions;
  const source = await placeSource(db, createSource(room, isOldestFirst), room, conditions, effort);
  // Counting needs one more than is shown, so that it is known whether there are more.
  const wanted = (cursor === undefined ? Math.max(limit, LIMITS.searchTotalMax) : limit) + 1;
  const found: VisibleMessage[] = [];
  let taskCount = 1;
  while (!isExhausted(source, isOldestFirst) && found.length < wanted && !effort.isSpent) {
    const tasks = planTasks(source, isOldestFirst, taskCount);
    const enough = wanted - found.length;
    const results = await matchTasks(db, tasks, conditions, { enough, effort });
    const complete = takeInOrder(source, results, isOldestFirst);
    const hits = await listHits(db, userId, complete, conditions, effort);
    found.push(...hits.toSorted((a, b) => (isOldestFirst ? a.seq - b.seq : b.seq - a.seq)));
    taskCount = Math.min(taskCount * 2, TASKS_MAX);
  }
  const isComplete = isExhausted(source, isOldestFirst);
  const hits = found.slice(0, limit);
  const isCounted = cursor === undefined && (isComplete || found.length >= wanted);
  return {
    hits,
    cursor: nextCursor(source, found, conditions, isComplete),
    ...(isCounted && { total: Math.min(found.length, LIMITS.searchTotalMax) }),
  };
}

/** Restricts a source to the messages that the cursor and the times leave. */
async function placeSource(
  db: Reader,
  source: Source,
  { last_seq: lastSeq }: SearchableChatroom,
  { isOldestFirst, cursor, after, before }: Conditions,
  effort: Effort,
): Promise<Source> {
  const seek = async (time: number) => {
    const found = await seekTime(db, [{ chatroomId: source.chatroomId, lastSeq }], time, effort);
    return found.get(source.chatroomId) ?? 0;
  };
  let first = 1;
  let last = lastSeq;
  if (after > 0) first = (await seek(after - 2 * CLOCK_TOLERANCE)) + 1;
  if (before < Number.MAX_SAFE_INTEGER) last = await seek(before);
  if (cursor && isOldestFirst) first = Math.max(first, cursor.position + 1);
  if (cursor && !isOldestFirst) last = Math.min(last, cursor.position - 1);
  return isOldestFirst
    ? { ...source, next: first, end: last }
    : { ...source, next: last, end: first };
}

/** Returns the results up to the first task that is not finished, and moves the source behind them. */
function takeInOrder(
  source: Source,
  results: readonly TaskResult[],
  isOldestFirst: boolean,
): TaskResult[] {
  const taken: TaskResult[] = [];
  for (const result of results) {
    const { task, doneTo } = result;
    if (doneTo === undefined) break;
    taken.push(result);
    source.next = isOldestFirst ? doneTo + 1 : doneTo - 1;
    if (doneTo !== (isOldestFirst ? task.last : task.first)) break;
  }
  return taken;
}

function nextCursor(
  { next }: Source,
  found: readonly VisibleMessage[],
  { isOldestFirst, limit }: Conditions,
  isComplete: boolean,
): Cursor | undefined {
  const last = found[limit - 1];
  if (last !== undefined && (found.length > limit || !isComplete)) {
    return { position: last.seq, id: '' };
  }
  if (isComplete) return undefined;
  return { position: isOldestFirst ? next - 1 : next + 1, id: '' };
}
