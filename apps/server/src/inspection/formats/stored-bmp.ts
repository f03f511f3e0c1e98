import { MalformedFileError, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { assertCheapImage } from './image-budget.ts';
import { Pieces } from './pieces.ts';

const CORE_HEADER = 12;
const INFO_HEADERS = new Set([40, 52, 56, 108, 124]);

/** Windows BMP as stored by earlier versions. New ones are stored as PNG. */
export const storedBmp: MediaFormat = {
  kind: 'image',
  mime: 'image/bmp',
  extension: 'bmp',
  detectedAs: ['image/bmp'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await source.bytes(0, 26);
  const headerSize = header.readUInt32LE(14);
  const data = header.readUInt32LE(10);
  if (data < 14 + headerSize || data >= source.size) throw new MalformedFileError('no image data');
  const isCore = headerSize === CORE_HEADER;
  if (!isCore && !INFO_HEADERS.has(headerSize)) throw new MalformedFileError('no header');
  const width = isCore ? header.readUInt16LE(18) : header.readInt32LE(18);
  // A negative height means that the rows are stored from top to bottom.
  const height = isCore ? header.readUInt16LE(20) : Math.abs(header.readInt32LE(22));
  assertCheapImage({ width, height });
  const pieces = new Pieces();
  pieces.keep(0, source.size);
  return { width, height, pieces };
}
