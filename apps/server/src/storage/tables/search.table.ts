/** A chatroom with texts in the search index. */
export interface SearchChatroomsTable {
  /** From 1. The ids of the blocks and segments of the chatroom begin with it. */
  number: number;
  chatroom_id: string;
  /** Messages up to this `seq` are in blocks. A search reads the later ones themselves. */
  indexed_seq: number;
}

/** Consecutive messages of a chatroom, as many as `storage/search-blocks.ts` defines. */
export interface SearchBlocksTable {
  /** The number of the chatroom and the position of the block in it, so that ids sort by `seq`. */
  id: number;
  /** The folded text of each message as a line, empty if it has none. Empty while outdated. */
  text: string;
  /** Bits of what the messages are or contain: `KIND_BITS` of `storage/search-blocks.ts`. */
  kinds: number;
  /**
   * 1 from when a message changes until the block is written again. Triggers set it and remove the text
   * with its trigrams, so that no change of a message can leave its text here.
   */
  is_outdated: number;
}

/**
 * Which blocks of a segment contain three letters in a row. A segment consists of consecutive blocks of one
 * chatroom, so that a search reads nothing about other chatrooms, whatever they contain.
 */
export interface SearchTrigramsTable {
  segment: number;
  trigram: string;
  /** A bit for each block in the first half of the segment, and in the second. */
  early: number;
  late: number;
}
