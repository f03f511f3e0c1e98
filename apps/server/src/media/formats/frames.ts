import { MalformedFile, type ByteSource } from './byte-source.ts';
import { withoutTags } from './id3.ts';
import { Pieces } from './pieces.ts';

/** Frames that have to follow each other before a file is believed to be made of them. */
const FRAMES_CHECKED = 3;

/**
 * A file that is nothing but frames of sound, with its tags left out. `frameLength` reads the length
 * of a frame, header included, from its first bytes; 0 if they are no header.
 * @throws {MalformedFile} if no frames are found where they have to be.
 */
export async function soundFrames(
  source: ByteSource,
  frameLength: (header: Buffer) => number,
): Promise<Pieces> {
  const { start, end } = await withoutTags(source);
  let at = start;
  for (let i = 0; i < FRAMES_CHECKED && (i === 0 || at < end); i += 1) {
    const length = frameLength(await source.bytes(at, Math.min(7, end - at)));
    if (length === 0) throw new MalformedFile('no frame');
    at += length;
  }
  const pieces = new Pieces();
  pieces.keep(start, end);
  return pieces;
}
