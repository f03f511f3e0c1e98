/** What is known about the blocks of a user. */
interface Block {
  /** Number of messages written before the current block, if it is certain. */
  since?: number;
  /** Number of unblocking requests without a response. */
  pending: number;
  /** Number of unblocking requests. */
  unblocks: number;
  /** Whether no unblocking request was abandoned. */
  isKnown: boolean;
}

/** A record of which users certainly block their partner, and since when. */
export class Blocks {
  readonly #blocks = new Map<string, Block>();

  /** Returns the number of messages written before the user's block, if the user certainly blocks. */
  sinceOf(username: string): number | undefined {
    return this.#blocks.get(username)?.since;
  }

  /** Records that a user's block may end from now on. */
  end(username: string): void {
    delete this.#of(username).since;
  }

  /** Records that a user requests to unblock. */
  requestUnblock(username: string): void {
    const block = this.#of(username);
    block.pending += 1;
    block.unblocks += 1;
  }

  /** Records the response to an unblocking request, or that the client has abandoned it. */
  recordUnblock(username: string, isDone: boolean): void {
    const block = this.#of(username);
    if (isDone) block.pending -= 1;
    // The server may still carry out the request.
    else block.isKnown = false;
  }

  /**
   * Records that a user requests to block. Returns a function that records the response, with the
   * number of messages written by then.
   */
  requestBlock(username: string): (count: number) => void {
    const block = this.#of(username);
    const { unblocks } = block;
    return (count) => {
      const isBlocked = block.pending === 0 && block.unblocks === unblocks && block.isKnown;
      if (isBlocked) block.since ??= count;
    };
  }

  #of(username: string): Block {
    const known = this.#blocks.get(username);
    if (known) return known;
    const block: Block = { pending: 0, unblocks: 0, isKnown: true };
    this.#blocks.set(username, block);
    return block;
  }
}
