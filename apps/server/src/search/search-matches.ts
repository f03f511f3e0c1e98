import { foldText } from '@parley/contract';
import { listIndexable, type SeqRange } from '../messages/found-messages.service.ts';
import { blockOf } from '../storage/search-blocks.ts';
import type { Reader } from '../storage/storage.ts';
import { findCandidates } from './search-candidates.ts';
import type { Conditions } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import { listBlocks } from './search-index.repository.ts';
import { blockRange, type Source, type Task } from './search-source.ts';
import type { WordMatcher } from './word-matcher.ts';

/** Number of blocks of each task that are read first. It doubles until enough is found. */
const FIRST_BLOCKS = 2;

/** Number of blocks that are read at once. */
const BLOCKS_MAX = 128;

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
  if (conditions.words.length > 0) await matchBlocks(db, pending, conditions, options);
  else takeBlocks(pending, conditions, options);
  for (const { result, blocks } of pending) {
    if (blocks.length > 0) rest?.set(result.task.source, blocks);
    else rest?.delete(result.task.source);
  }
  return results;
}

/** A task whose candidates are being looked at. */
interface PendingTask {
  readonly result: TaskResult;
  /** The first `seq` of the remaining candidates. */
  blocks: readonly number[];
  /** Number of messages found. */
  count: number;
}

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

/** Looks for words in the texts of candidates. */
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
    for (const each of remaining) each.blocks = each.blocks.slice(perTask);
    left = effort.isSpent ? 0 : left - perTask;
  }
}

/** Looks for words in the texts of some blocks. */
async function matchTexts(
  db: Reader,
  chosen: readonly { readonly each: PendingTask; readonly seq: number }[],
  { matches, isOldestFirst }: Conditions,
  effort: Effort,
): Promise<void> {
  const idOf = ({ each, seq }: (typeof chosen)[number]) =>
    blockOf(each.result.task.source.number, seq).id;
  const stored = await listBlocks(db, chosen.map(idOf));
  const texts = new Map(stored.map((block) => [block.id, block] as const));
  const outdated = chosen.filter((block) => texts.get(idOf(block))?.is_outdated === 1);
  const lines = await readLines(
    db,
    outdated.map(({ each: { result }, seq }) => {
      const { first, last } = blockRange(result.task, seq);
      return { chatroomId: result.task.source.chatroomId, first, last };
    }),
    effort,
  );
  for (const block of chosen) {
    const { each, seq } = block;
    const { task, ranges } = each.result;
    const { chatroomId } = task.source;
    const range = blockRange(task, seq);
    const { text = '', is_outdated: isOutdated } = texts.get(idOf(block)) ?? {};
    effort.spend('kilobyte', text.length / 1024);
    const seqs =
      isOutdated === 1
        ? (lines.get(chatroomId) ?? [])
            .filter((line) => line.seq >= range.first && line.seq <= range.last)
            .filter((line) => matches(line.text))
            .map((line) => line.seq)
        : matchingLines(text, matches).map((line) => seq + line);
    const inTask = seqs.filter((found) => found >= range.first && found <= range.last);
    if (!isOldestFirst) inTask.reverse();
    for (const at of inTask) ranges.push({ chatroomId, first: at, last: at });
    each.count += inTask.length;
    each.result.doneTo = lastSeqOf(range, isOldestFirst);
  }
}

/** Returns the numbers of the lines of a block that contain all words. */
function matchingLines(text: string, matches: WordMatcher): number[] {
  // Most candidates of a rare word do not contain it.
  if (!matches(text)) return [];
  return text.split('\n').flatMap((line, number) => (matches(line) ? [number] : []));
}

/** A text that is not in the index. */
interface Line {
  readonly seq: number;
  readonly text: string;
}

/** Reads the folded texts of messages, by chatroom. */
async function readLines(
  db: Reader,
  ranges: readonly SeqRange[],
  effort: Effort,
): Promise<Map<string, Line[]>> {
  const messages = await listIndexable(db, ranges);
  const lines = new Map<string, Line[]>();
  for (const { chatroom_id: chatroomId, seq, kind, content } of messages) {
    effort.spend('message', 1);
    if (kind !== 'text') continue;
    effort.spend('folding', content.length / 1024);
    const list = lines.get(chatroomId) ?? [];
    list.push({ seq, text: foldText(content) });
    lines.set(chatroomId, list);
  }
  return lines;
}

/** Looks at messages that are in no block. */
async function matchUnindexed(
  db: Reader,
  results: readonly TaskResult[],
  { words, matches, isOldestFirst }: Conditions,
  effort: Effort,
): Promise<void> {
  const whole = ({ source, first, last }: Task) => ({ chatroomId: source.chatroomId, first, last });
  if (words.length === 0) {
    for (const result of results) {
      result.ranges.push(whole(result.task));
      result.doneTo = lastSeqOf(result.task, isOldestFirst);
      effort.spend('message', result.task.last - result.task.first + 1);
    }
    return;
  }
  const lines = await readLines(
    db,
    results.map(({ task }) => whole(task)),
    effort,
  );
  for (const result of results) {
    const { task, ranges } = result;
    const { chatroomId } = task.source;
    const seqs = (lines.get(chatroomId) ?? [])
      .filter(({ text }) => matches(text))
      .map(({ seq }) => seq);
    if (!isOldestFirst) seqs.reverse();
    for (const seq of seqs) ranges.push({ chatroomId, first: seq, last: seq });
    result.doneTo = lastSeqOf(task, isOldestFirst);
  }
}
