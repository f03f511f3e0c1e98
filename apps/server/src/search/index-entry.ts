import { foldText, hasWebLink } from '@parley/contract';
import type { IndexableMessage } from '../messages/found-messages.service.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import { BLOCK_SIZE, KIND_BITS } from '../storage/search-blocks.ts';

/** What the index contains about a block. */
export interface BlockEntry {
  /** The folded text of each message as a line. Empty if no message has a text. */
  readonly text: string;
  readonly kinds: number;
}

type Indexed = Pick<IndexableMessage, 'seq' | 'kind' | 'content'>;

/** Creates the entry of the block that starts at `firstSeq` from its messages that are not deleted. */
export async function createBlockEntry(
  firstSeq: number,
  messages: readonly Indexed[],
): Promise<BlockEntry> {
  const lines = Array.from({ length: BLOCK_SIZE }, () => '');
  let kinds = 0;
  for (const { seq, kind, content } of messages) {
    await takeTurn();
    if (kind === 'text') {
      lines[seq - firstSeq] = foldText(content);
      if (hasWebLink(content)) kinds |= KIND_BITS.link;
    } else {
      kinds |= KIND_BITS[kind];
    }
  }
  const text = lines.join('\n').trimEnd();
  return { text: text.trim() === '' ? '' : text, kinds };
}
