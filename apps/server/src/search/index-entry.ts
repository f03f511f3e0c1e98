import { foldText, hasWebLink, isTextual } from '@parley/contract';
import type { IndexableMessage } from '../messages/found-messages.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import {
  BLOCK_SIZE,
  INDEX_LIMITS,
  KIND_BITS,
  MISSING_BITS,
  trigramsOf,
} from '../storage/search-blocks.ts';

/** What the index contains about a block. */
export interface BlockEntry {
  /** The folded text of each message as a line. Empty if no message has a text, or if the texts are too long. */
  readonly text: string;
  /** A sum of `KIND_BITS` and `MISSING_BITS`. */
  readonly kinds: number;
}

type Indexed = Pick<IndexableMessage, 'seq' | 'kind' | 'content'>;

/** Creates the entry of the block that starts at `firstSeq` from its messages that are not deleted. */
export async function createBlockEntry(
  firstSeq: number,
  messages: readonly Indexed[],
): Promise<BlockEntry> {
  const lines = Array.from({ length: BLOCK_SIZE }, () => '');
  let length = 0;
  let kinds = 0;
  for (const { seq, kind, content } of messages) {
    await takeTurn();
    if (!isTextual(kind)) {
      kinds |= KIND_BITS[kind];
      continue;
    }
    if (hasWebLink(content)) kinds |= KIND_BITS.link;
    if (length > INDEX_LIMITS.text) continue;
    const line = foldText(content);
    length += line.length;
    lines[seq - firstSeq] = line;
  }
  if (length > INDEX_LIMITS.text) {
    return { text: '', kinds: kinds | MISSING_BITS.text | MISSING_BITS.trigrams };
  }
  const text = lines.join('\n').trimEnd();
  return { text: text.trim() === '' ? '' : text, kinds };
}

/** Returns the trigrams of a block, or undefined if it has more than `max`. */
export async function listTrigrams(
  { text, kinds }: BlockEntry,
  max: number,
): Promise<ReadonlySet<string> | undefined> {
  if ((kinds & MISSING_BITS.text) !== 0) return undefined;
  const trigrams = new Set<string>();
  for (const line of text.split('\n')) {
    await takeTurn();
    for (const trigram of trigramsOf(line)) trigrams.add(trigram);
    if (trigrams.size > max) return undefined;
  }
  return trigrams;
}
