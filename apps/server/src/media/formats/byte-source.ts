import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A file that is not what its first bytes say, or not whole. */
export class MalformedFile extends Error {
  override readonly name = 'MalformedFile';
}

const WINDOW = 64 * 1024;

/** No honest file is made of more pieces; a dishonest one must not keep the server busy. */
const STEPS_MAX = 300_000;

/** Reads from the window that may follow each other before others get their turn: about a millisecond. */
const READS_PER_TURN = 1_000;

/** Reads a file of any size through one small window. */
export interface ByteSource {
  /** Size of the file in bytes. */
  readonly size: number;
  /**
   * The bytes at a position, at most 64 KiB; valid until the next call.
   * @throws {MalformedFile} if the file ends before.
   */
  bytes(position: number, length: number): Promise<Buffer>;
  /** Like {@link bytes}, but as many as there are. */
  upTo(position: number, length: number): Promise<Buffer>;
  /**
   * Counts one more piece of the file's structure.
   * @throws {MalformedFile} if there are too many.
   */
  step(): void;
}

/** Opens a file's bytes for reading; the handle stays the caller's. */
export async function createByteSource(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  const memory = Buffer.allocUnsafe(WINDOW);
  let start = 0;
  let filled = 0;
  let steps = 0;
  let reads = 0;

  async function upTo(position: number, length: number): Promise<Buffer> {
    reads += 1;
    if (reads % READS_PER_TURN === 0) await nextTurn();
    const end = Math.min(position + Math.min(length, WINDOW), size);
    if (end <= position) return memory.subarray(0, 0);
    if (position < start || end > start + filled) {
      start = position;
      filled = 0;
      while (filled < WINDOW) {
        const { bytesRead } = await handle.read(memory, filled, WINDOW - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
    }
    return memory.subarray(position - start, Math.min(end - start, filled));
  }

  return {
    size,
    upTo,
    async bytes(position, length) {
      const found = await upTo(position, length);
      if (found.length < length) throw new MalformedFile('ends too early');
      return found;
    },
    step() {
      steps += 1;
      if (steps > STEPS_MAX) throw new MalformedFile('too many pieces');
    },
  };
}
