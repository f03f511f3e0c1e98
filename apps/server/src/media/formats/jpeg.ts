import { MalformedFile, type ByteSource } from './byte-source.ts';
import { oriented, orientationOnly, readOrientation, type Orientation } from './exif.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

// ITU-T T.81, annex B. The names are the standard's.
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TEM = 0x01;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;

/** Start of frame: SOF0 to SOF15, without the three codes in between that are none. */
const isFrame = (code: number) =>
  code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;
const isApplication = (code: number) => code >= 0xe0 && code <= 0xef;

/** Application segments that say how the pixels are to be shown; all others are about the camera. */
const KEPT: Record<number, string> = {
  [APP0]: 'JFIF\0',
  [APP2]: 'ICC_PROFILE\0',
  [APP14]: 'Adobe',
};

const EXIF = 'Exif\0\0';

/** Much smaller than what is read from the disk at once: else each of many tiny scans would cost all of that. */
const SCAN_PIECE = 4 * 1024;

/** JPEG: segments up to the image data are kept or left out, the data itself is untouched. */
export const jpeg: MediaFormat = {
  kind: 'image',
  mime: 'image/jpeg',
  ending: 'jpg',
  matches: (head) => head.length > 3 && head[0] === 0xff && head[1] === SOI && head[2] === 0xff,
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const body = new Pieces();
  let orientation: Orientation = 1;
  let sawExif = false;
  let frame: { width: number; height: number } | undefined;
  let hasScan = false;
  // Right after SOI comes JFIF's segment, if there is one; ours comes after it.
  let jfifEnd = 2;

  for (let at = 2; ;) {
    source.step();
    const head = await source.upTo(at, 4);
    if (head.length < 2 && hasScan) break;
    const code = head[1];
    if (code === undefined || head[0] !== 0xff) throw new MalformedFile('no marker');
    if (code === 0xff) {
      at += 1;
      continue;
    }
    if (code === EOI) break;
    if (code === TEM || isRestart(code)) {
      body.keep(at, at + 2);
      at += 2;
      continue;
    }
    if (code < 0xc0 || code === SOI || head.length < 4) throw new MalformedFile('no segment');
    const end = at + 2 + head.readUInt16BE(2);
    const segment = await source.bytes(at + 4, Math.max(0, end - at - 4));

    if (isFrame(code)) {
      if (segment.length < 6) throw new MalformedFile('no frame');
      frame ??= { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3) };
    } else if (code === APP1 && !sawExif && startsWith(segment, EXIF)) {
      sawExif = true;
      orientation = readOrientation(segment.subarray(EXIF.length));
    }
    if (isKept(code, segment)) {
      body.keep(at, end);
      if (at === 2 && code === APP0) jfifEnd = end;
    }
    at = end;
    if (code === SOS) {
      hasScan = true;
      at = await endOfScan(source, end);
      body.keep(end, at);
    }
  }
  if (!hasScan || frame === undefined) throw new MalformedFile('no picture');

  const pieces = new Pieces();
  pieces.keep(0, jfifEnd);
  if (orientation !== 1) pieces.insert(exifSegment(orientation));
  for (const piece of body) {
    if ('to' in piece) pieces.keep(Math.max(piece.from, jfifEnd), piece.to);
  }
  // What follows the end, such as the film of a moving photo, is not part of the picture.
  pieces.insert(Buffer.from([0xff, EOI]));
  return { ...oriented(frame.width, frame.height, orientation), pieces };
}

function isKept(code: number, segment: Buffer): boolean {
  if (code === COM) return false;
  if (!isApplication(code)) return true;
  const name = KEPT[code];
  return name !== undefined && startsWith(segment, name);
}

function startsWith(segment: Buffer, name: string): boolean {
  return segment.toString('latin1', 0, name.length) === name;
}

/** Where the next marker after a scan's data is, or the end of the file. */
async function endOfScan(source: ByteSource, start: number): Promise<number> {
  let at = start;
  while (at < source.size) {
    const window = await source.upTo(at, SCAN_PIECE);
    let i = window.indexOf(0xff);
    for (; i !== -1 && i + 1 < window.length; i = window.indexOf(0xff, i + 1)) {
      const code = window[i + 1] ?? 0;
      // 0xff00 stands for a data byte 0xff; fill bytes may come before a marker.
      if (code !== 0 && code !== 0xff && !isRestart(code)) return at + i;
    }
    if (window.length < 2) break;
    at += i === -1 ? window.length : i;
  }
  return source.size;
}

function exifSegment(orientation: Orientation): Buffer {
  const exif = Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationOnly(orientation)]);
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([head, exif]);
}
