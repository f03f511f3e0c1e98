import { crc32 } from 'node:zlib';
import { MalformedFile, type ByteSource } from './byte-source.ts';
import { oriented, orientationOnly, readOrientation, type Orientation } from './exif.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks of PNG (third edition) that say how the pixels look; the others say who made them, and when. */
const KEPT = new Set(
  'IHDR PLTE IDAT tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs hIST sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);

/** Far more than any camera writes. */
const EXIF_MAX = 64 * 1024;

/** PNG, APNG included. */
export const png: MediaFormat = {
  kind: 'image',
  mime: 'image/png',
  ending: 'png',
  matches: (head) => head.subarray(0, 8).equals(SIGNATURE),
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await source.bytes(8, 25);
  if (header.toString('latin1', 4, 8) !== 'IHDR') throw new MalformedFile('no header');
  const width = header.readUInt32BE(8);
  const height = header.readUInt32BE(12);

  const pieces = new Pieces();
  const body = new Pieces();
  pieces.keep(0, SIGNATURE.length);
  let orientation: Orientation = 1;
  let hasData = false;
  for (let at = SIGNATURE.length; ;) {
    source.step();
    const head = await source.bytes(at, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + length;
    if (end > source.size) throw new MalformedFile('ends too early');
    if (type === 'IEND') break;
    if (type === 'IDAT') hasData = true;
    if (type === 'eXIf' && length <= EXIF_MAX) {
      orientation = readOrientation(await source.bytes(at + 8, length));
    }
    if (KEPT.has(type)) (hasData ? body : pieces).keep(at, end);
    else if (isCritical(type)) throw new MalformedFile('unknown critical chunk');
    at = end;
  }
  if (!hasData) throw new MalformedFile('no picture');
  // Browsers heed it in front of the picture only.
  if (orientation !== 1) pieces.insert(chunk('eXIf', orientationOnly(orientation)));
  pieces.append(body);
  pieces.insert(chunk('IEND', Buffer.alloc(0)));
  return { ...oriented(width, height, orientation), pieces };
}

/** A capital first letter: without understanding it, the picture cannot be shown. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(4 + named.length + 4);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), 4 + named.length);
  return whole;
}
