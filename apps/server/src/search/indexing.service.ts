import { listIndexable, type IndexableMessage } from '../messages/found-messages.service.ts';
import {
  BLOCK_SIZE,
  blockOf,
  firstSeqOf,
  hasTrigrams,
  segmentStart,
  SEGMENT_SIZE,
  trigramsOf,
} from '../storage/search-blocks.ts';
import type { Storage, Writer } from '../storage/storage.ts';
import { createBlockEntry } from './index-entry.ts';
import * as repository from './search-index.repository.ts';

/** How much one write indexes at most, so that it delays messages of users only briefly. */
const WRITE_LIMIT = { blocks: 4, characters: 64 * 1024 };

/** What to index of a chatroom. */
export interface IndexingOptions {
  /**
   * Whether to index its newest messages although they do not fill a block yet. The block is written again
   * when there are more.
   */
  readonly isQuiet: boolean;
}

/**
 * Indexes the next messages of a chatroom that are in no block. Returns whether there are more. The write
 * must not be concurrent.
 */
export async function indexNext(
  trx: Writer,
  chatroomId: string,
  { isQuiet }: IndexingOptions,
): Promise<boolean> {
  const lastSeq = await repository.lockForIndexing(trx, chatroomId);
  if (lastSeq === undefined) return false;
  const target = isQuiet ? lastSeq : lastSeq - (lastSeq % BLOCK_SIZE);
  const found = await repository.findIndexedRoom(trx, chatroomId);
  const indexed = found?.indexed_seq ?? 0;
  if (target <= indexed) return false;
  const { number } = found ?? (await repository.createIndexedRoom(trx, chatroomId));

  const from = blockOf(number, indexed + 1).firstSeq;
  const end = Math.min(target, segmentStart(from) + SEGMENT_SIZE - 1);
  const masks = new Map<string, { early: number; late: number }>();
  const addMasks = (seq: number, text: string) => {
    const { half, bit } = blockOf(number, seq);
    for (const trigram of trigramsOf(text)) {
      const mask = masks.get(trigram) ?? { early: 0, late: 0 };
      mask[half] += bit;
      masks.set(trigram, mask);
    }
  };

  let seq = from;
  let characters = 0;
  for (let i = 0; i < WRITE_LIMIT.blocks && seq <= end; i += 1) {
    if (characters > WRITE_LIMIT.characters) break;
    const entry = createBlockEntry(seq, await readBlock(trx, chatroomId, seq, end));
    await repository.upsertBlock(trx, { id: blockOf(number, seq).id, ...entry });
    addMasks(seq, entry.text);
    characters += entry.text.length;
    seq += BLOCK_SIZE;
  }
  const last = Math.min(seq - 1, end);

  if (hasTrigrams(from, last)) {
    if (!hasTrigrams(from, indexed)) {
      for (const block of await listBlocksBetween(trx, number, segmentStart(from), from - 1)) {
        addMasks(firstSeqOf(block.id), block.text);
      }
    }
    await repository.addTrigrams(trx, blockOf(number, from).segment, masks);
  }
  await repository.setIndexedSeq(trx, number, last);
  return last < target;
}

/**
 * Counts the messages that wait for the index: all of them after an upgrade, and few later. Blocks that are not full
 * do not count.
 */
export function countUnindexed(storage: Pick<Storage, 'read'>): Promise<number> {
  return storage.read((db) => repository.countUnindexedMessages(db));
}

function readBlock(
  trx: Writer,
  chatroomId: string,
  firstSeq: number,
  end: number,
): Promise<IndexableMessage[]> {
  const last = Math.min(firstSeq + BLOCK_SIZE - 1, end);
  return listIndexable(trx, [{ chatroomId, first: firstSeq, last }]);
}

function listBlocksBetween(
  trx: Writer,
  number: number,
  first: number,
  last: number,
): Promise<repository.StoredBlock[]> {
  const ids: number[] = [];
  for (let seq = first; seq <= last; seq += BLOCK_SIZE) ids.push(blockOf(number, seq).id);
  return repository.listBlocks(trx, ids);
}

/**
 * Writes a block again in which a message has changed. Returns false if there is none. The write must not
 * be concurrent.
 */
export async function indexOutdatedBlock(trx: Writer): Promise<boolean> {
  const outdated = await repository.findOutdatedBlock(trx);
  if (outdated === undefined) return false;
  const { id, number, chatroom_id: chatroomId } = outdated;
  await repository.lockForIndexing(trx, chatroomId);
  const indexed = (await repository.findIndexedRoom(trx, chatroomId))?.indexed_seq ?? 0;
  const first = firstSeqOf(id);
  const entry = createBlockEntry(first, await readBlock(trx, chatroomId, first, indexed));
  await repository.upsertBlock(trx, { id, ...entry });
  if (hasTrigrams(first, indexed)) {
    const { segment, half, bit } = blockOf(number, first);
    const mask = { early: 0, late: 0, [half]: bit };
    const masks = Array.from(trigramsOf(entry.text), (trigram) => [trigram, mask] as const);
    await repository.addTrigrams(trx, segment, new Map(masks));
  }
  return true;
}
