import { randomInt } from 'node:crypto';
import {
  findRangeVersion,
  listIndexable,
  type RangeVersion,
  type SeqRange,
} from '../messages/found-messages.service.ts';
import {
  BLOCK_SIZE,
  blockOf,
  firstSeqOf,
  hasTrigrams,
  INDEX_LIMITS,
  MISSING_BITS,
  segmentStart,
  SEGMENT_SIZE,
} from '../storage/search-blocks.ts';
import type { Storage, Writer } from '../storage/storage.ts';
import { createBlockEntry, listTrigrams, type BlockEntry } from './index-entry.ts';
import * as repository from './search-index.repository.ts';

/** How many further blocks are written at once, at most. */
const BLOCKS_PER_STEP = 4;

/** Number of trigrams per write, so that it delays messages of users only briefly. */
const TRIGRAMS_PER_WRITE = 2_000;

/** What to index of a chatroom. */
export interface IndexingOptions {
  /**
   * Whether to index its newest messages although they do not fill a block yet. The block is written again
   * when there are more.
   */
  readonly isQuiet: boolean;
}

/** Whole blocks of a chatroom to be written. */
interface Step {
  readonly blockIds: readonly number[];
  /** Identifies the step as the latest one that writes these blocks. */
  readonly claim: number;
  readonly number: number;
  readonly first: number;
  readonly last: number;
  /** Whether the trigrams of their segment are stored. */
  readonly hasTrigrams: boolean;
  /** The messages of the blocks that are indexed, and their version when the blocks were claimed. */
  readonly read: SeqRange;
  readonly version: RangeVersion;
  readonly indexedAfter: number;
}

/**
 * Indexes the next messages of a chatroom that are in no block, and returns whether there are more. Takes many
 * short writes and turns of the event loop for long messages. It is not done if one of them has changed in the
 * meantime: then others come first, so that no user can prevent them from being indexed.
 */
export async function indexNext(
  storage: Storage,
  chatroomId: string,
  { isQuiet }: IndexingOptions,
): Promise<{ isDone: boolean; hasMore: boolean }> {
  const step = await storage.write(({ trx }) => planNext(trx, chatroomId, isQuiet));
  if (step === undefined) return { isDone: true, hasMore: false };
  const isDone = await runStep(storage, step);
  return { isDone, hasMore: step.indexedAfter < step.target };
}

/**
 * Writes the next block after an id again in which a message has changed. Returns its id, or undefined if there
 * is none. It is not done if a message has changed again in the meantime.
 */
export async function indexOutdatedBlock(
  storage: Storage,
  afterId = 0,
): Promise<{ id: number; isDone: boolean } | undefined> {
  const step = await storage.write(({ trx }) => planOutdated(trx, afterId));
  if (step === undefined) return undefined;
  const isDone = await runStep(storage, step);
  return { id: blockOf(step.number, step.first).id, isDone };
}

async function planNext(
  trx: Writer,
  chatroomId: string,
  isQuiet: boolean,
): Promise<(Step & { target: number }) | undefined> {
  const lastSeq = await repository.lockForIndexing(trx, chatroomId);
  if (lastSeq === undefined) return undefined;
  const target = isQuiet ? lastSeq : lastSeq - (lastSeq % BLOCK_SIZE);
  const found = await repository.findIndexedChatroom(trx, chatroomId);
  const indexed = found?.indexed_seq ?? 0;
  if (target <= indexed) return undefined;
  const { number } = found ?? (await repository.createIndexedChatroom(trx, chatroomId));

  const next = blockOf(number, indexed + 1).firstSeq;
  const last = Math.min(
    target,
    next + BLOCKS_PER_STEP * BLOCK_SIZE - 1,
    segmentStart(next) + SEGMENT_SIZE - 1,
  );
  // With the first trigrams of a segment, its earlier blocks are written again.
  const isFirst = hasTrigrams(next, last) && !hasTrigrams(next, indexed);
  const first = isFirst ? segmentStart(next) : next;
  const step = await claimStep(trx, {
    number,
    first,
    last,
    hasTrigrams: hasTrigrams(first, last),
    read: { chatroomId, first, last },
    indexedAfter: last,
  });
  return { ...step, target };
}

async function planOutdated(trx: Writer, afterId: number): Promise<Step | undefined> {
  const outdated = await repository.findOutdatedBlock(trx, afterId);
  if (outdated === undefined) return undefined;
  const { id, number, chatroom_id: chatroomId } = outdated;
  await repository.lockForIndexing(trx, chatroomId);
  const indexed = (await repository.findIndexedChatroom(trx, chatroomId))?.indexed_seq ?? 0;
  const first = firstSeqOf(id);
  const last = first + BLOCK_SIZE - 1;
  const read = { chatroomId, first, last: Math.min(last, indexed) };
  return claimStep(trx, {
    number,
    first,
    last,
    hasTrigrams: hasTrigrams(first, indexed),
    read,
    indexedAfter: indexed,
  });
}

/** Claims the blocks of a step that was planned in this write. */
async function claimStep(
  trx: Writer,
  plan: Omit<Step, 'blockIds' | 'claim' | 'version'>,
): Promise<Step> {
  const { number, first, last, read } = plan;
  const blockIds: number[] = [];
  for (let seq = first; seq <= last; seq += BLOCK_SIZE) blockIds.push(blockOf(number, seq).id);
  const claim = randomInt(1, 2 ** 31);
  await repository.claimBlocks(trx, blockIds, claim);
  return { ...plan, blockIds, claim, version: await findRangeVersion(trx, read) };
}

/**
 * Writes the blocks of a step, which are outdated until then. Returns false if one of the messages has
 * changed in the meantime, or another server has begun to write the same blocks.
 */
async function runStep(storage: Storage, step: Step): Promise<boolean> {
  const { number, first, read, blockIds, indexedAfter } = step;
  const entries = new Map<number, BlockEntry>();
  // One block at a time, as its messages may be long. Whether they have changed since is checked before each write.
  for (const id of blockIds) {
    const seq = firstSeqOf(id);
    const range = { ...read, first: seq, last: Math.min(seq + BLOCK_SIZE - 1, read.last) };
    const messages = await storage.read((db) => listIndexable(db, [range]));
    entries.set(id, await createBlockEntry(seq, messages));
  }
  const { segment } = blockOf(number, first);
  let masks: [string, Mask][] = [];
  if (step.hasTrigrams) {
    const { ofSegment } = INDEX_LIMITS;
    const stored = await storage.read((db) => repository.countTrigrams(db, segment, ofSegment));
    masks = [...(await createMasks(number, entries, ofSegment - stored))];
  }
  // Usually all of them are written with the blocks.
  while (masks.length > TRIGRAMS_PER_WRITE) {
    const part = new Map(masks.splice(-TRIGRAMS_PER_WRITE));
    const isWritten = await writeIfUnchanged(storage, step, (trx) =>
      repository.addTrigrams(trx, segment, part),
    );
    if (!isWritten) return false;
  }
  return writeIfUnchanged(storage, step, async (trx) => {
    await repository.addTrigrams(trx, segment, new Map(masks));
    for (const [id, entry] of entries) await repository.upsertBlock(trx, { id, ...entry });
    await repository.setIndexedSeq(trx, number, indexedAfter);
  });
}

/** The blocks of a segment that contain a trigram. */
interface Mask {
  early: number;
  late: number;
}

/**
 * Returns the masks of the trigrams of blocks, and marks the entries of those that have too many, whose trigrams
 * are missing.
 * @param max number of trigrams that the segment may get
 */
async function createMasks(
  number: number,
  entries: Map<number, BlockEntry>,
  max: number,
): Promise<Map<string, Mask>> {
  const masks = new Map<string, Mask>();
  for (const [id, entry] of entries) {
    // Some may be stored already.
    const left = Math.min(INDEX_LIMITS.ofBlock, max - masks.size);
    const trigrams = await listTrigrams(entry, left);
    if (trigrams === undefined) {
      entries.set(id, { ...entry, kinds: entry.kinds | MISSING_BITS.trigrams });
      continue;
    }
    const { half, bit } = blockOf(number, firstSeqOf(id));
    for (const trigram of trigrams) {
      const mask = masks.get(trigram) ?? { early: 0, late: 0 };
      mask[half] += bit;
      masks.set(trigram, mask);
    }
  }
  return masks;
}

/** Runs a write unless what it is based on has changed. The write is not concurrent. */
function writeIfUnchanged(
  storage: Storage,
  { blockIds, claim, read, version }: Step,
  write: (trx: Writer) => Promise<void>,
): Promise<boolean> {
  return storage.write(async ({ trx }) => {
    await repository.lockForIndexing(trx, read.chatroomId);
    if ((await repository.countClaimed(trx, blockIds, claim)) < blockIds.length) return false;
    const { count, rev } = await findRangeVersion(trx, read);
    if (count !== version.count || rev !== version.rev) return false;
    await write(trx);
    return true;
  });
}

/**
 * Counts the messages that wait for the index: all of them after an upgrade, and few later. Blocks that are not full
 * do not count.
 */
export function countUnindexed(storage: Pick<Storage, 'read'>): Promise<number> {
  return storage.read((db) => repository.countUnindexedMessages(db));
}
