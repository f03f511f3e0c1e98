import { findTimes, type VisibleMessage } from '../messages/found-messages.service.ts';
import { AFTER_ALL_IDS } from '../storage/ids.ts';
import { BLOCK_SIZE } from '../storage/search-blocks.ts';
import type { Reader } from '../storage/storage.ts';
import type { Conditions, Cursor } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import { listSearchableChatrooms } from './search-index.repository.ts';
import { matchTasks, type TaskResult } from './search-matches.ts';
import type { FoundPage } from './search-chatroom.ts';
import {
  CLOCK_TOLERANCE,
  createSource,
  isExhausted,
  planTask,
  seekTime,
  UNINDEXED_MAX,
  type Source,
} from './search-source.ts';
import { listHits } from './visible-hits.ts';

/** Number of chatrooms that are looked at together, at first and at most. */
const SOURCES = { first: 4, max: 64 };

/**
 * Number of blocks that are looked at together. Chatrooms get a few of them each, so that all of them are
 * searched back to about the same time: a page that ends early contains only what is newer than that, and the
 * next one searches again what is older.
 */
const BLOCKS_TOGETHER = 128;

/**
 * Searches all chatrooms of a user except for blocked ones, newest messages first. Chatrooms with new messages
 * come first, and those without messages as new as the ones found are not looked at.
 */
export async function searchAll(
  db: Reader,
  userId: string,
  conditions: Conditions,
  effort: Effort,
): Promise<FoundPage> {
  const { limit, cursor, after } = conditions;
  const until = Math.min(conditions.before - 1, cursor?.position ?? Number.MAX_SAFE_INTEGER);
  let sources = (await listSearchableChatrooms(db, { userId })).map((room) =>
    createSource(room, false),
  );
  const sought = new Set(sources.filter(({ newestAt }) => newestAt <= until));
  for (const source of sources) source.newestAt = Math.min(source.newestAt, until);

  const found: VisibleMessage[] = [];
  const rest = new Map<Source, readonly number[]>();
  const newestLeft = () => sources.reduce((max, each) => Math.max(max, each.newestAt), -Infinity);
  for (let count = SOURCES.first; ; count = Math.min(count * 2, SOURCES.max)) {
    sources = sources.filter(({ newestAt }) => newestAt >= after - CLOCK_TOLERANCE);
    found.sort(compareHits);
    const enough = found[limit]?.created_at ?? -Infinity;
    // A page that ends early must end before the messages of the page before, so that the search makes progress.
    // Chatrooms with messages as new as these then cost a block each.
    const needed = effort.isSpent ? until : enough;
    const open = sources
      .filter(({ newestAt }) => newestAt + CLOCK_TOLERANCE >= needed)
      .toSorted((a, b) => b.newestAt - a.newestAt);
    if (open.length === 0) break;
    const chosen = open.slice(0, count);
    await seekSources(
      db,
      chosen.filter((source) => !sought.has(source)),
      until,
      effort,
    );
    for (const source of chosen) sought.add(source);
    const blocksMax = Math.ceil(BLOCKS_TOGETHER / chosen.length);
    const unindexedMax = effort.isSpent
      ? BLOCK_SIZE
      : Math.max(BLOCK_SIZE, Math.floor(UNINDEXED_MAX / chosen.length));
    const tasks = chosen
      .filter((source) => !isExhausted(source, false))
      .map((source) => planTask(source, false, unindexedMax));
    const options = { enough: limit + 1, blocksMax, effort, rest };
    const results = await matchTasks(db, tasks, conditions, options);
    const hits = await listHits(db, userId, results, conditions, effort);
    found.push(...hits.filter((hit) => isAfterCursor(hit, cursor)));
    await moveSources(db, results, effort);
    sources = sources.filter((source) => !isExhausted(source, false));
  }
  return createPage(found, newestLeft(), conditions);
}

/** Compares messages for sorting: newest first. */
function compareHits(a: VisibleMessage, b: VisibleMessage): number {
  if (a.created_at !== b.created_at) return b.created_at - a.created_at;
  return a.id < b.id ? 1 : -1;
}

function isAfterCursor({ created_at: time, id }: VisibleMessage, cursor?: Cursor): boolean {
  if (cursor === undefined) return true;
  return time < cursor.position || (time === cursor.position && id < cursor.id);
}

/**
 * Moves sources to their last message that may have been sent until a time. Reading long messages that are
 * newer, once per page, would take much longer.
 */
async function seekSources(
  db: Reader,
  sources: readonly Source[],
  until: number,
  effort: Effort,
): Promise<void> {
  const rooms = sources.map(({ chatroomId, next }) => ({ chatroomId, lastSeq: next }));
  const seqs = await seekTime(db, rooms, until, effort);
  for (const source of sources) source.next = seqs.get(source.chatroomId) ?? 0;
}

/** Moves sources behind what was looked at. */
async function moveSources(
  db: Reader,
  results: readonly TaskResult[],
  effort: Effort,
): Promise<void> {
  const moved: Source[] = [];
  for (const { task, doneTo } of results) {
    if (doneTo === undefined) continue;
    task.source.next = doneTo - 1;
    if (!isExhausted(task.source, false)) moved.push(task.source);
  }
  effort.spend('time', moved.length);
  const times = await findTimes(
    db,
    moved.map(({ chatroomId, next }) => ({ chatroomId, seq: next })),
  );
  for (const source of moved) {
    source.newestAt = Math.min(source.newestAt, times.get(source.chatroomId) ?? source.newestAt);
  }
}

/** @param newestLeft when the newest message was sent that has not been looked at. */
function createPage(
  found: readonly VisibleMessage[],
  newestLeft: number,
  { limit }: Conditions,
): FoundPage {
  const ready = found
    .filter(({ created_at: time }) => time > newestLeft + CLOCK_TOLERANCE)
    .toSorted(compareHits);
  const hits = ready.slice(0, limit);
  const last = hits.at(-1);
  const isComplete = newestLeft === -Infinity;
  if (isComplete && ready.length <= limit) return { hits, cursor: undefined };
  if (last !== undefined && hits.length === limit) {
    return { hits, cursor: { position: last.created_at, id: last.id } };
  }
  return { hits, cursor: { position: newestLeft + CLOCK_TOLERANCE, id: AFTER_ALL_IDS } };
}
