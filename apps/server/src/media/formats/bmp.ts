import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { assertCheapPicture } from './picture-budget.ts';
import { Pieces } from './pieces.ts';

const CORE_HEADER = 12;
const INFO_HEADERS = new Set([40, 52, 56, 108, 124]);

/** BMP of Windows. Old uploads of it are shown; its gaps can hold anything, so no new ones are taken. */
export const bmp: MediaFormat = {
  kind: 'image',
  mime: 'image/bmp',
  ending: 'bmp',
  detectedAs: ['image/bmp'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await source.bytes(0, 26);
  const headerSize = header.readUInt32LE(14);
  const data = header.readUInt32LE(10);
  if (data < 14 + headerSize || data >= source.size) throw new MalformedFile('no picture');
  const isCore = headerSize === CORE_HEADER;
  if (!isCore && !INFO_HEADERS.has(headerSize)) throw new MalformedFile('no header');
  const width = isCore ? header.readUInt16LE(18) : header.readInt32LE(18);
  // A negative height means that the rows begin at the top.
  const height = isCore ? header.readUInt16LE(20) : Math.abs(header.readInt32LE(22));
  assertCheapPicture({ width, height }, source.size);
  const pieces = new Pieces();
  pieces.keep(0, source.size);
  return { width, height, pieces };
}
