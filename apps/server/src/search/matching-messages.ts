import { foldText, hasWebLink, isPrintableAscii, isTextual } from '@parley/contract';
import {
  listIndexable,
  type IndexableMessage,
  type SeqRange,
} from '../messages/found-messages.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import { BLOCK_SIZE } from '../storage/search-blocks.ts';
import type { Reader } from '../storage/storage.ts';
import type { Conditions } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';

/**
 * Number of messages that are read at once, at first and at most. Of the longest ones, the first read takes about a
 * megabyte, and each following one twice as much.
 */
const READ = { first: BLOCK_SIZE, max: 4 * BLOCK_SIZE };

/**
 * Looks for the words of a search in messages, and for links if it is for links, range by range. Calls `onRange`
 * with each range and `seq` of its messages that match, in ascending order. Once the effort is spent, it ends after
 * the first read.
 */
export async function matchRanges<Range extends SeqRange>(
  db: Reader,
  ranges: readonly Range[],
  conditions: Conditions,
  effort: Effort,
  onRange: (range: Range, seqs: readonly number[]) => void,
): Promise<void> {
  let size = READ.first;
  for (let start = 0; start < ranges.length;) {
    if (start > 0 && effort.isSpent) return;
    let end = start;
    for (let count = 0; end < ranges.length && count < size; end += 1) {
      const range = ranges[end];
      if (range !== undefined) count += range.last - range.first + 1;
    }
    const chosen = ranges.slice(start, end);
    const found = await findMatching(db, chosen, conditions, effort);
    for (const range of chosen) {
      const seqs = found.get(range.chatroomId) ?? [];
      onRange(
        range,
        seqs.filter((seq) => seq >= range.first && seq <= range.last),
      );
    }
    start = end;
    size = Math.min(size * 2, READ.max);
  }
}

/** Returns `seq` of the messages in ranges whose own texts match, in ascending order, by chatroom. */
export async function findMatching(
  db: Reader,
  ranges: readonly SeqRange[],
  conditions: Conditions,
  effort: Effort,
): Promise<Map<string, number[]>> {
  await takeTurn();
  const messages = await listIndexable(db, ranges);
  const found = new Map<string, number[]>();
  for (const message of messages) {
    await takeTurn();
    const { chatroom_id: chatroomId, seq } = message;
    if (!matchMessage(message, conditions, effort)) continue;
    const seqs = found.get(chatroomId) ?? [];
    seqs.push(seq);
    found.set(chatroomId, seqs);
  }
  return found;
}

function matchMessage(
  { kind, content }: IndexableMessage,
  conditions: Conditions,
  effort: Effort,
): boolean {
  effort.spend('message', 1);
  if (!isTextual(kind)) return false;
  if (conditions.words.length > 0 && !conditions.matches(fold(content, effort))) return false;
  if (conditions.kind !== 'link') return true;
  effort.spend('link', content.length / 1024);
  return hasWebLink(content);
}

function fold(content: string, effort: Effort): string {
  effort.spend(isPrintableAscii(content) ? 'folding' : 'foldingOthers', content.length / 1024);
  const text = foldText(content);
  effort.spend('kilobyte', text.length / 1024);
  return text;
}
