import { open, type FileHandle } from 'node:fs/promises';
import type { Pieces } from './formats/pieces.ts';

const CHUNK = 64 * 1024;

/**
 * Writes a new file from pieces of another one through a small buffer and flushes it to disk. The
 * caller removes the file if this fails.
 */
export async function writePieces(
  source: FileHandle,
  pieces: Pieces,
  target: string,
): Promise<void> {
  const output = await open(target, 'wx', 0o600);
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (const piece of pieces) {
      if ('bytes' in piece) {
        await output.writeFile(piece.bytes);
      } else if ('zeros' in piece) {
        const zeros = Buffer.alloc(Math.min(CHUNK, piece.zeros));
        for (let left = piece.zeros; left > 0; left -= zeros.length) {
          await output.writeFile(zeros.subarray(0, left));
        }
      } else {
        for (let at = piece.from; at < piece.to;) {
          const wanted = Math.min(CHUNK, piece.to - at);
          const { bytesRead } = await source.read(buffer, 0, wanted, at);
          if (bytesRead === 0) throw new Error('the file became shorter while it was read');
          await output.writeFile(buffer.subarray(0, bytesRead));
          at += bytesRead;
        }
      }
    }
    await output.sync();
  } finally {
    await output.close();
  }
}
