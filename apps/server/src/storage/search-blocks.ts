// How the messages of a chatroom are divided into blocks and segments of the search index. The triggers of
// the migrations contain the same numbers: changing them requires a migration that empties the index.
//
// The full-text indexes of the engines are not used, because they are sorted by word over all chatrooms. For
// a user with 20,000 messages in 200 chatrooms without a word, 300,000 messages of others with that word made
// a search with PostgreSQL's pg_trgm take 90 ms instead of 0.6, and one with SQLite's FTS5 41 ms of CPU time
// instead of 21. With this index it took 10 ms of CPU time instead of 8, as it reads nothing about others.
//
// A word of trigrams that are in most blocks is found by reading most texts: in a million messages, such a word
// that is nowhere takes some 50 requests of less than 40 ms each. Sequences of four characters would exclude more blocks
// (for random words that are nowhere, 1.5 % remained instead of 13), but for 300 short messages the index would
// be 6 times as large as the texts instead of 3.7.

/** Number of messages per block. */
export const BLOCK_SIZE = 32;

/** Maximum number of blocks per chatroom. */
const BLOCKS_PER_ROOM = 2 ** 26;

/** Maximum number of segments per chatroom. */
const SEGMENTS_PER_ROOM = 2 ** 20;

/** Number of blocks in each half of a segment. JavaScript has integers of 53 bits. */
const HALF_SEGMENT = 52;

const BLOCKS_PER_SEGMENT = 2 * HALF_SEGMENT;

/** Number of messages per segment. */
export const SEGMENT_SIZE = BLOCK_SIZE * BLOCKS_PER_SEGMENT;

/**
 * The trigrams of a segment are stored once it has more blocks than this. Reading fewer blocks is as fast,
 * and their trigrams would take much more space than their texts.
 */
const BLOCKS_WITHOUT_TRIGRAMS = 8;

/** Bits of `search_blocks.kinds`. */
export const KIND_BITS = { image: 1, audio: 2, link: 4 } as const;

/** Further bits of `search_blocks.kinds`: what the index lacks of a block that would take too much of it. */
export const MISSING_BITS = { trigrams: 8, text: 16 } as const;

/**
 * What is stored at most: code units of the folded text of a block, and trigrams of a block and of a segment. A change
 * of a message removes the trigrams of its block in the same write, which looks at all those of the segment. Few chats
 * of people have as many.
 */
export const INDEX_LIMITS = { text: 65_536, ofBlock: 3_000, ofSegment: 65_536 } as const;

/** Where a block is. */
export interface BlockPosition {
  readonly id: number;
  /** `seq` of its first message. */
  readonly firstSeq: number;
  readonly segment: number;
  /** Its position in the segment: the half, and the bit in the masks of this half. */
  readonly half: 'early' | 'late';
  readonly bit: number;
}

/** Returns the block of a chatroom that contains a `seq`. */
export function blockOf(chatroomNumber: number, seq: number): BlockPosition {
  const block = Math.floor((seq - 1) / BLOCK_SIZE);
  const position = block % BLOCKS_PER_SEGMENT;
  const isEarly = position < HALF_SEGMENT;
  return {
    id: chatroomNumber * BLOCKS_PER_ROOM + block,
    firstSeq: block * BLOCK_SIZE + 1,
    segment: chatroomNumber * SEGMENTS_PER_ROOM + Math.floor(block / BLOCKS_PER_SEGMENT),
    half: isEarly ? 'early' : 'late',
    bit: 2 ** (isEarly ? position : position - HALF_SEGMENT),
  };
}

/** Returns the `seq` of the first message of a block. */
export function firstSeqOf(id: number): number {
  return (id % BLOCKS_PER_ROOM) * BLOCK_SIZE + 1;
}

/** Returns the `seq` of the first message of the segment that contains a `seq`. */
export function segmentStart(seq: number): number {
  return seq - ((seq - 1) % SEGMENT_SIZE);
}

/** Returns whether the trigrams of the segment that contains a `seq` are stored. */
export function hasTrigrams(seq: number, indexedSeq: number): boolean {
  return indexedSeq >= segmentStart(seq) + BLOCKS_WITHOUT_TRIGRAMS * BLOCK_SIZE;
}

/** Returns whether a block's bit is set in a mask. Bitwise operators only use 32 bits. */
export function hasBit(mask: number, bit: number): boolean {
  return Math.floor(mask / bit) % 2 === 1;
}

/** Returns the distinct sequences of three characters in the words of a folded text. */
export function trigramsOf(foldedText: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of foldedText.split(/[ \n]/)) {
    // Most words consist of characters with one code unit.
    const characters = /[\ud800-\udfff]/.test(word) ? Array.from(word) : undefined;
    const length = characters?.length ?? word.length;
    for (let i = 0; i + 3 <= length; i += 1) {
      trigrams.add(characters?.slice(i, i + 3).join('') ?? word.slice(i, i + 3));
    }
  }
  return trigrams;
}
