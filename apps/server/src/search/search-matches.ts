import type { SeqRange } from '../messages/found-messages.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import { BLOCK_SIZE, blockOf } from '../storage/search-blocks.ts';
import type { Reader } from '../storage/storage.ts';
import { findCandidates } from './search-candidates.ts';
import { findMatching, matchRanges } from './matching-messages.ts';
import type { Conditions } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import {
  isTextMissing,
  listBlocks,
  listBlockSizes,
  type StoredBlock,
} from './search-index.repository.ts';
import { blockRange, type Source, type Task } from './search-source.ts';
import type { WordMatcher } from './word-matcher.ts';

/** Number of blocks of each task that are read first. It doubles until enough is found. */
const FIRST_BLOCKS = 2;

/** Number of blocks that are chosen at once. */
const BLOCKS_MAX = 128;

/** Bytes of texts that are read at once, unless a block has more: usually, all blocks that were chosen have fewer. */
const PART_BYTES = 512 * 1024;

/** What has been found in a task. */
export interface TaskResult {
  readonly task: Task;
  /** Messages that match, except for conditions that only their rows can answer. */
  readonly ranges: SeqRange[];
  /** The last `seq` that was looked at, in the order of the search; undefined if none was. */
  doneTo: number | undefined;
}

/** How far tasks are worked on. */
export interface MatchOptions {
  /** About how many messages to find in each task. */
  readonly enough: number;
  /** Maximum number of candidates of each task to look at. */
  readonly blocksMax?: number;
  /** Once it is used up, only one candidate of each task is looked at. */
  readonly effort: Effort;
  /** Candidates that are left of unfinished tasks, to continue with another task of the same source. */
  readonly rest?: Map<Source, readonly number[]>;
}

/** Finds messages in each task that match a search, in its order. */
export async function matchTasks(
  db: Reader,
  tasks: readonly Task[],
  conditions: Conditions,
  options: MatchOptions,
): Promise<TaskResult[]> {
  const { effort, rest } = options;
  const results = tasks.map((task): TaskResult => ({ task, ranges: [], doneTo: undefined }));
  const indexed = results.filter(({ task }) => task.isIndexed);
  await matchUnindexed(
    db,
    results.filter(({ task }) => !task.isIndexed),
    conditions,
    effort,
  );
  const begun = indexed.map(({ task }) => task).filter(({ source }) => !rest?.has(source));
  effort.spend('segment', begun.length);
  const candidates = await findCandidates(db, begun, conditions);
  const pending = indexed.map((result) => ({
    result,
    blocks: rest?.get(result.task.source) ?? candidates.get(result.task) ?? [],
    count: 0,
  }));
  if (readsTexts(conditions)) await matchBlocks(db, pending, conditions, options);
  else takeBlocks(pending, conditions, options);
  for (const { result, blocks } of pending) {
    if (blocks.length > 0) rest?.set(result.task.source, blocks);
    else rest?.delete(result.task.source);
  }
  return results;
}

/** Returns whether a search is for something that only the texts of messages contain. */
function readsTexts({ words, kind }: Conditions): boolean {
  return words.length > 0 || kind === 'link';
}

/** A task whose candidates are being looked at. */
interface PendingTask {
  readonly result: TaskResult;
  /** The first `seq` of the remaining candidates. */
  blocks: readonly number[];
  /** Number of messages found. */
  count: number;
}

/** A block to look at, by its first `seq`. */
interface Candidate {
  readonly each: PendingTask;
  readonly seq: number;
}

const idOf = ({ each, seq }: Candidate) => blockOf(each.result.task.source.number, seq).id;

const lastSeqOf = ({ first, last }: { first: number; last: number }, isOldestFirst: boolean) =>
  isOldestFirst ? last : first;

/** Takes all messages of candidates, which are then filtered by their rows. */
function takeBlocks(
  pending: readonly PendingTask[],
  { isOldestFirst }: Conditions,
  { enough, blocksMax = Infinity, effort }: MatchOptions,
): void {
  for (const each of pending) {
    const { task, ranges } = each.result;
    const taken = each.blocks.slice(0, effort.isSpent ? 1 : Math.min(enough, blocksMax));
    for (const seq of taken) {
      const range = blockRange(task, seq);
      ranges.push({ chatroomId: task.source.chatroomId, ...range });
      effort.spend('message', range.last - range.first + 1);
    }
    each.blocks = each.blocks.slice(taken.length);
    const last = each.blocks.length === 0 ? task : (ranges.at(-1) ?? task);
    each.result.doneTo = lastSeqOf(last, isOldestFirst);
  }
}

/** Looks for words or links in the texts of candidates. */
async function matchBlocks(
  db: Reader,
  pending: readonly PendingTask[],
  conditions: Conditions,
  { enough, blocksMax = Infinity, effort }: MatchOptions,
): Promise<void> {
  const { isOldestFirst } = conditions;
  let remaining = pending;
  let left = effort.isSpent ? 1 : blocksMax;
  for (let count = FIRST_BLOCKS; ; count *= 2) {
    for (const { result, blocks } of remaining) {
      if (blocks.length === 0) result.doneTo = lastSeqOf(result.task, isOldestFirst);
    }
    remaining = remaining.filter(({ blocks, count: found }) => blocks.length > 0 && found < enough);
    if (remaining.length === 0 || left === 0) return;
    const perTask = Math.max(1, Math.min(count, left, Math.floor(BLOCKS_MAX / remaining.length)));
    const chosen = remaining.flatMap((each) =>
      each.blocks.slice(0, perTask).map((seq) => ({ each, seq })),
    );
    await matchTexts(db, chosen, conditions, effort);
    left = effort.isSpent ? 0 : left - perTask;
  }
}

/**
 * Looks for words or links in the texts of some blocks, in this order, and removes the blocks from what is left. If
 * the effort is used up meanwhile, the others remain.
 */
async function matchTexts(
  db: Reader,
  chosen: readonly Candidate[],
  conditions: Conditions,
  effort: Effort,
): Promise<void> {
  // Then only one candidate of each task is chosen.
  const wasSpent = effort.isSpent;
  for (const part of await divide(db, chosen, conditions)) {
    if (effort.isSpent && !wasSpent) return;
    await takeTurn();
    const stored = conditions.words.length > 0 ? await listBlocks(db, part.map(idOf)) : [];
    const texts = new Map(stored.map((block) => [block.id, block] as const));
    for (const candidate of part) {
      await takeTurn();
      const { each, seq } = candidate;
      const seqs = await matchBlock(db, candidate, texts.get(idOf(candidate)), conditions, effort);
      addFound(each.result, blockRange(each.result.task, seq), seqs, conditions);
      each.count += seqs.length;
      each.blocks = each.blocks.slice(1);
    }
  }
}

/** Returns `seq` of the messages of a block that match, in ascending order. */
async function matchBlock(
  db: Reader,
  candidate: Candidate,
  block: StoredBlock | undefined,
  conditions: Conditions,
  effort: Effort,
): Promise<readonly number[]> {
  const isStored = block === undefined || !isTextMissing(block);
  if (conditions.words.length > 0 && isStored) {
    const seqs = matchStored(candidate, block?.text ?? '', conditions, effort);
    // The stored texts are folded, which changes links.
    if (conditions.kind !== 'link' || seqs.length === 0) return seqs;
  }
  const { task } = candidate.each.result;
  const { chatroomId } = task.source;
  const range = { chatroomId, ...blockRange(task, candidate.seq) };
  return (await findMatching(db, [range], conditions, effort)).get(chatroomId) ?? [];
}

/** Divides blocks into parts that are read at once. */
async function divide(
  db: Reader,
  chosen: readonly Candidate[],
  { words }: Conditions,
): Promise<Candidate[][]> {
  if (words.length === 0) return chosen.map((candidate) => [candidate]);
  const sizes = await listBlockSizes(db, chosen.map(idOf));
  const byId = new Map(
    sizes.map((size) => {
      // Instead of the text, the messages are read.
      const bytes = isTextMissing(size) ? PART_BYTES : size.bytes;
      return [size.id, bytes] as const;
    }),
  );
  const parts: Candidate[][] = [];
  let left = 0;
  for (const candidate of chosen) {
    const bytes = byId.get(idOf(candidate)) ?? 0;
    const part = parts.at(-1);
    if (part !== undefined && bytes <= left) part.push(candidate);
    else {
      parts.push([candidate]);
      left = PART_BYTES;
    }
    left -= bytes;
  }
  return parts;
}

/** Returns `seq` of the messages that match by the text of their block, in ascending order. */
function matchStored(
  { each, seq }: Candidate,
  text: string,
  { matches }: Conditions,
  effort: Effort,
): number[] {
  const { first, last } = blockRange(each.result.task, seq);
  effort.spend('kilobyte', text.length / 1024);
  return matchingLines(text, matches)
    .map((line) => seq + line)
    .filter((found) => found >= first && found <= last);
}

/** Adds the messages of a range that match to a result, in the order of the search. The range is done. */
function addFound(
  result: TaskResult,
  range: Pick<SeqRange, 'first' | 'last'>,
  seqs: readonly number[],
  { isOldestFirst }: Conditions,
): void {
  const { chatroomId } = result.task.source;
  for (const seq of isOldestFirst ? seqs : seqs.toReversed()) {
    result.ranges.push({ chatroomId, first: seq, last: seq });
  }
  result.doneTo = lastSeqOf(range, isOldestFirst);
}

/** Returns the numbers of the lines of a block that contain all words. */
function matchingLines(text: string, matches: WordMatcher): number[] {
  // Most candidates of a rare word do not contain it.
  if (!matches(text)) return [];
  return text.split('\n').flatMap((line, number) => (matches(line) ? [number] : []));
}

/** Looks at messages that are in no block. */
async function matchUnindexed(
  db: Reader,
  results: readonly TaskResult[],
  conditions: Conditions,
  effort: Effort,
): Promise<void> {
  const { isOldestFirst } = conditions;
  const ranges = results.flatMap((result) => divideRange(result, isOldestFirst));
  if (!readsTexts(conditions)) {
    for (const { result, ...range } of ranges) {
      result.ranges.push(range);
      result.doneTo = lastSeqOf(range, isOldestFirst);
      effort.spend('message', range.last - range.first + 1);
    }
    return;
  }
  await matchRanges(db, ranges, conditions, effort, (range, seqs) =>
    addFound(range.result, range, seqs, conditions),
  );
}

/** Divides the messages of a task that are in no block into short ranges, in the order of the search. */
function divideRange(
  result: TaskResult,
  isOldestFirst: boolean,
): (SeqRange & { result: TaskResult })[] {
  const { source, first, last } = result.task;
  const { chatroomId } = source;
  const ranges = [];
  for (let start = first; start <= last; start += BLOCK_SIZE) {
    ranges.push({
      result,
      chatroomId,
      first: start,
      last: Math.min(start + BLOCK_SIZE - 1, last),
    });
  }
  return isOldestFirst ? ranges : ranges.toReversed();
}
