import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';
import { isRiff, riffChunks, riffHeader } from './riff.ts';

/** What it takes to play it; other chunks name people, places and devices. */
const KEPT = new Set(['fmt ', 'fact', 'data']);

/** WAV. */
export const wav: MediaFormat = {
  kind: 'audio',
  mime: 'audio/wav',
  ending: 'wav',
  matches: (head) => isRiff(head, 'WAVE'),
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const body = new Pieces();
  let hasFormat = false;
  let hasData = false;
  for await (const { id, at, length } of riffChunks(source)) {
    if (!KEPT.has(id)) continue;
    if (id === 'data' && !hasFormat) throw new MalformedFile('sound before its format');
    hasFormat ||= id === 'fmt ' && length >= 16;
    hasData ||= id === 'data';
    // The length is written anew, as recorders that cannot go back leave a wrong one.
    const header = Buffer.from(`${id}\0\0\0\0`, 'latin1');
    header.writeUInt32LE(length, 4);
    body.insert(header);
    body.keep(at + 8, at + 8 + length);
    body.zeros(length % 2);
  }
  if (!hasData) throw new MalformedFile('no sound');
  const pieces = new Pieces();
  pieces.insert(riffHeader('WAVE', body.length));
  pieces.append(body);
  return { pieces };
}
