import { fstatSync, readSync } from 'node:fs';

/** Thrown for a file that is truncated or does not have the format that its first bytes announce. */
export class MalformedFileError extends Error {
  override readonly name = 'MalformedFileError';
}

/** Thrown for a valid file that would be too expensive to display. */
export class TooComplexMediaError extends Error {
  override readonly name = 'TooComplexMediaError';
}

const WINDOW = 64 * 1024;

/**
 * Maximum number of structural parts of a file, so that a crafted file cannot keep the server busy.
 * Two hours of audio in WebM have 360,000 of them.
 */
const STEPS_MAX = 500_000;

/** Reads a file of any size through a small window. */
export interface ByteSource {
  /** Size of the file in bytes. */
  readonly size: number;
  /**
   * Returns `length` bytes at a position, at most 64 KiB. They are valid until the next call.
   * @throws {MalformedFileError} if the file ends before that.
   */
  bytes(position: number, length: number): Promise<Buffer>;
  /** Like {@link bytes}, but returns fewer bytes at the end of the file. */
  bytesUpTo(position: number, length: number): Promise<Buffer>;
  /**
   * Counts one more part of the file's structure.
   * @throws {MalformedFileError} if there are too many.
   */
  step(): void;
}

/** Creates a source for a file in memory. */
export function createMemorySource(file: Buffer): ByteSource {
  const countStep = createStepCounter();
  const bytesUpTo = async (position: number, length: number) =>
    file.subarray(position, position + Math.min(length, WINDOW));
  return {
    size: file.length,
    bytesUpTo,
    bytes: async (position, length) => assertLength(await bytesUpTo(position, length), length),
    step: countStep,
  };
}

/** Creates a source for an open file. Reads block the thread. The caller closes the file. */
export function createByteSource(fd: number): ByteSource {
  const { size } = fstatSync(fd);
  const memory = Buffer.allocUnsafe(WINDOW);
  let start = 0;
  let filled = 0;

  async function bytesUpTo(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + Math.min(length, WINDOW), size);
    if (end <= position) return memory.subarray(0, 0);
    if (position < start || end > start + filled) {
      start = position;
      filled = 0;
      while (filled < WINDOW) {
        const bytesRead = readSync(fd, memory, filled, WINDOW - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
    }
    return memory.subarray(position - start, Math.min(end - start, filled));
  }

  return {
    size,
    bytesUpTo,
    bytes: async (position, length) => assertLength(await bytesUpTo(position, length), length),
    step: createStepCounter(),
  };
}

/**
 * Returns a copy of `length` bytes, which may be more than a source returns at once. The caller
 * must limit `length`.
 * @throws {MalformedFileError} if the file ends before that.
 */
export async function readAll(source: ByteSource, at: number, length: number): Promise<Buffer> {
  const all = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const part = await source.bytes(at + done, Math.min(length - done, WINDOW));
    done += part.copy(all, done);
  }
  return all;
}

function assertLength(found: Buffer, length: number): Buffer {
  if (found.length < length) throw new MalformedFileError('unexpected end');
  return found;
}

function createStepCounter(): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps > STEPS_MAX) throw new MalformedFileError('too many pieces');
  };
}
