import { longWords, type SearchWord } from '@parley/contract';
import {
  blockOf,
  firstSeqOf,
  hasBit,
  hasTrigrams,
  KIND_BITS,
  trigramsOf,
  BLOCK_SIZE,
} from '../storage/search-blocks.ts';
import type { Reader } from '../storage/storage.ts';
import type { Conditions } from './parse-conditions.ts';
import * as repository from './search-index.repository.ts';
import { blockIdsOf, type Task } from './search-source.ts';

/** Trigrams per spelling of a word. More exclude few further blocks. */
const TRIGRAMS_MAX = 6;

/**
 * Returns the blocks of each task that may contain what is searched, by their first `seq`, in the order of
 * the search. All tasks must be indexed.
 */
export async function findCandidates(
  db: Reader,
  tasks: readonly Task[],
  { words, kind, isOldestFirst }: Conditions,
): Promise<Map<Task, number[]>> {
  const restricted = tasks.filter((task) => isRestricted(task, words, kind));
  const found = new Map(
    tasks.map((task) => [task, restricted.includes(task) ? [] : allBlocks(task)] as const),
  );
  const byFirstId = new Map(restricted.map((task) => [blockIdsOf(task), task] as const));
  const ids =
    words.length > 0
      ? await findByWords(db, restricted, words)
      : await findByKind(db, [...byFirstId.keys()], kind);
  const ranges = [...byFirstId.keys()];
  const others = await repository.findOutdatedIn(db, ranges);
  if (words.length > 0) others.push(...(await repository.findUnlistedIn(db, ranges)));
  const sorted = [...new Set([...ids, ...others])].toSorted((a, b) => a - b);
  for (const [{ firstId, lastId }, task] of byFirstId) {
    const start = lowerBound(sorted, firstId);
    const end = lowerBound(sorted, lastId + 1);
    found.set(task, sorted.slice(start, end).map(firstSeqOf));
  }
  if (!isOldestFirst) for (const seqs of found.values()) seqs.reverse();
  return found;
}

/** Returns whether the index excludes blocks of a task. */
function isRestricted(
  { first, source }: Task,
  words: readonly SearchWord[],
  kind: Conditions['kind'],
): boolean {
  if (words.length === 0) return kind !== undefined;
  return longWords(words).length > 0 && hasTrigrams(first, source.indexedSeq);
}

function allBlocks({ first, last, source }: Task): number[] {
  const seqs: number[] = [];
  let seq = blockOf(source.number, first).firstSeq;
  for (; seq <= last; seq += BLOCK_SIZE) seqs.push(seq);
  return seqs;
}

/** Returns the index of the first number that is at least `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function findByKind(
  db: Reader,
  ranges: readonly repository.BlockRange[],
  kind: Conditions['kind'],
): Promise<number[]> {
  if (kind === undefined) return [];
  const blocks = await repository.findKindsIn(db, ranges);
  return blocks.filter(({ kinds }) => hasBit(kinds, KIND_BITS[kind])).map(({ id }) => id);
}

/** Finds the blocks of tasks that contain all trigrams of a spelling of each word. */
async function findByWords(
  db: Reader,
  tasks: readonly Task[],
  words: readonly SearchWord[],
): Promise<number[]> {
  const required = longWords(words).map((spellings) => spellings.map(chooseTrigrams));
  const segmentOf = ({ source, first }: Task) => blockOf(source.number, first).segment;
  const masks = await repository.findMasks(
    db,
    [...new Set(tasks.map(segmentOf))],
    [...new Set(required.flat(2))],
  );
  const bySegment = Map.groupBy(masks, ({ segment }) => segment);
  return tasks.flatMap((task) => {
    const found = new Map(
      (bySegment.get(segmentOf(task)) ?? []).map((mask) => [mask.trigram, mask] as const),
    );
    const containsAll = (isFound: (trigram: string) => boolean) =>
      required.every((spellings) => spellings.some((trigrams) => trigrams.every(isFound)));
    if (!containsAll((trigram) => found.has(trigram))) return [];
    return allBlocks(task)
      .map((seq) => blockOf(task.source.number, seq))
      .filter(({ half, bit }) =>
        containsAll((trigram) => hasBit(found.get(trigram)?.[half] ?? 0, bit)),
      )
      .map(({ id }) => id);
  });
}

/** Returns trigrams of a spelling, distributed over its length. */
function chooseTrigrams(spelling: string): string[] {
  const all = [...trigramsOf(spelling)];
  if (all.length <= TRIGRAMS_MAX) return all;
  const step = (all.length - 1) / (TRIGRAMS_MAX - 1);
  return Array.from({ length: TRIGRAMS_MAX }, (_, i) => all[Math.round(i * step)] ?? '');
}
