import { MalformedFile, type ByteSource } from './byte-source.ts';
import { orientationOnly, readOrientation, type Orientation } from './exif.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';
import { isRiff, riffChunks, riffHeader, type RiffChunk } from './riff.ts';

// RFC 9649.
const KEPT = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const EXIF_MAX = 64 * 1024;

/** WebP, moving ones included. */
export const webp: MediaFormat = {
  kind: 'image',
  mime: 'image/webp',
  ending: 'webp',
  matches: (head) => isRiff(head, 'WEBP'),
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const body = new Pieces();
  let canvas: { width: number; height: number } | undefined;
  let extended: Buffer | undefined;
  let orientation: Orientation = 1;
  let hasData = false;

  for await (const chunk of riffChunks(source)) {
    if (chunk.id === 'VP8X') {
      if (extended !== undefined) throw new MalformedFile('two headers');
      extended = Buffer.from(await source.bytes(chunk.at, 18));
      canvas = { width: extended.readUIntLE(12, 3) + 1, height: extended.readUIntLE(15, 3) + 1 };
    } else if (chunk.id === 'EXIF' && chunk.length <= EXIF_MAX) {
      orientation = readOrientation(withoutName(await source.bytes(chunk.at + 8, chunk.length)));
    } else if (KEPT.has(chunk.id)) {
      hasData ||= chunk.id === 'VP8 ' || chunk.id === 'VP8L' || chunk.id === 'ANMF';
      canvas ??= await frameSize(source, chunk);
      body.keep(chunk.at, chunk.at + 8 + chunk.length);
      // A last chunk may lack the byte that makes it even.
      if (chunk.length % 2 === 1) body.zeros(1);
    }
  }
  if (canvas === undefined || !hasData) throw new MalformedFile('no picture');

  const turned = extended !== undefined && orientation !== 1 ? exifChunk(orientation) : undefined;
  if (extended !== undefined) {
    const flags = extended.readUInt8(8) & ~(EXIF_FLAG | XMP_FLAG);
    extended.writeUInt8(turned === undefined ? flags : flags | EXIF_FLAG, 8);
  }
  const pieces = new Pieces();
  const length = body.length + (extended?.length ?? 0) + (turned?.length ?? 0);
  pieces.insert(riffHeader('WEBP', length));
  if (extended !== undefined) pieces.insert(extended);
  pieces.append(body);
  if (turned !== undefined) pieces.insert(turned);
  // Browsers show a WebP as it is stored, whatever its orientation; other programs may turn it.
  return { ...canvas, pieces };
}

// Some writers put JPEG's name for the block in front of it.
function withoutName(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
}

async function frameSize(source: ByteSource, { id, at }: RiffChunk) {
  if (id === 'VP8 ') {
    const frame = await source.bytes(at + 8, 10);
    if (frame.readUIntBE(3, 3) !== 0x9d012a) throw new MalformedFile('no key frame');
    return { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff };
  }
  if (id === 'VP8L') {
    const frame = await source.bytes(at + 8, 5);
    if (frame[0] !== 0x2f) throw new MalformedFile('no lossless frame');
    const bits = frame.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}

function exifChunk(orientation: Orientation): Buffer {
  const exif = orientationOnly(orientation);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
}
