import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

const CORE_HEADER = 12;
const INFO_HEADERS = new Set([40, 52, 56, 108, 124]);

/** BMP of Windows. It has no place for metadata. */
export const bmp: MediaFormat = {
  kind: 'image',
  mime: 'image/bmp',
  ending: 'bmp',
  matches: (head) => head.toString('latin1', 0, 2) === 'BM' && head.readUInt32LE(6) === 0,
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await source.bytes(0, 26);
  const headerSize = header.readUInt32LE(14);
  const data = header.readUInt32LE(10);
  if (data < 14 + headerSize || data >= source.size) throw new MalformedFile('no picture');
  const pieces = new Pieces();
  pieces.keep(0, source.size);
  if (headerSize === CORE_HEADER) {
    return { width: header.readUInt16LE(18), height: header.readUInt16LE(20), pieces };
  }
  if (!INFO_HEADERS.has(headerSize)) throw new MalformedFile('no header');
  // A negative height means that the rows begin at the top.
  return { width: header.readInt32LE(18), height: Math.abs(header.readInt32LE(22)), pieces };
}
