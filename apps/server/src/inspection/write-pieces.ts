import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { Pieces } from './formats/pieces.ts';

const CHUNK = 64 * 1024;

/**
 * Writes a new file from pieces of an open one through a small buffer and flushes it to disk. Blocks the
 * thread. The caller removes the file if this fails.
 */
export function writePieces(source: number, pieces: Pieces, target: string): void {
  const output = openSync(target, 'wx', 0o600);
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (const piece of pieces) {
      if ('bytes' in piece) {
        writeAll(output, piece.bytes);
      } else if ('zeros' in piece) {
        buffer.fill(0);
        for (let left = piece.zeros; left > 0; left -= CHUNK) {
          writeAll(output, buffer.subarray(0, left));
        }
      } else {
        for (let at = piece.from; at < piece.to;) {
          const bytesRead = readSync(source, buffer, 0, Math.min(CHUNK, piece.to - at), at);
          if (bytesRead === 0) throw new Error('the file became shorter while it was read');
          writeAll(output, buffer.subarray(0, bytesRead));
          at += bytesRead;
        }
      }
    }
    fsyncSync(output);
  } finally {
    closeSync(output);
  }
}

/** Writes all bytes, of which a full disk takes only some before it fails. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(file, bytes, written);
  }
}
