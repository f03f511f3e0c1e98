import { IncomingMessage } from 'node:http';
import { abandonConnection } from './abandon-connection.ts';

/** Number of pieces of a body that may be of any size. */
const SMALL_PIECES_MAX = 16;
/** Bytes that each further piece has on average, fewer than in the packets of any network. */
const PIECE_SIZE_MIN = 256;

/**
 * A request whose connection is closed if its body arrives in very small pieces. Each piece costs memory and time of
 * its own, and in the chunked encoding, pieces of one byte fit into six bytes: the body of a single request could
 * occupy hundreds of times its length.
 */
export class IncomingRequest extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;

  /** Called by Node with each piece of the body, and with null at its end. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece !== null && !this.#count(piece.length)) {
      abandonConnection(this.socket);
      return false;
    }
    return super.push(piece, encoding);
  }

  /**
   * Called by Node to discard the rest of the body after the response. Node's own method would let the pieces bypass
   * {@link push}.
   */
  _dump(): void {
    this.removeAllListeners('data');
    this.resume();
  }

  /** Returns whether the pieces have been large enough so far. */
  #count(bytes: number): boolean {
    this.#pieces += 1;
    this.#bytes += bytes;
    return this.#pieces <= SMALL_PIECES_MAX + this.#bytes / PIECE_SIZE_MIN;
  }
}
