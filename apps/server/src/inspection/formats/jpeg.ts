import { MalformedFileError, TooComplexMediaError, type ByteSource } from './byte-source.ts';
import { orientedSize, createOrientationExif, readOrientation, type Orientation } from './exif.ts';
import { cleanProfile, PROFILE_BYTES_MAX } from './icc.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { assertCheapImage, assertComplete } from './image-budget.ts';
import { Pieces } from './pieces.ts';

// Names as in ITU-T T.81, annex B.
const SOF0 = 0xc0;
const SOF1 = 0xc1;
const SOF2 = 0xc2;
const DHT = 0xc4;
const DAC = 0xcc;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const TEM = 0x01;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;

const EXIF = 'Exif\0\0';
const JFIF = 'JFIF\0';
const ADOBE = 'Adobe';
const PROFILE = 'ICC_PROFILE\0';
/** Length of the known fields. They are followed by a preview or unknown data. */
const JFIF_LENGTH = 14;
const ADOBE_LENGTH = 12;
const SEGMENT_MAX = 0xffff - 2;

/** Maximum number of scans. Each makes a decoder process every pixel; encoders write about ten. */
const SCANS_MAX = 64;
const SCAN_PIXELS_MAX = 600_000_000;

/**
 * Number of bytes of a scan to read at once. This is much less than the read window, so that many
 * tiny scans do not each load a whole window.
 */
const SCAN_PIECE = 4 * 1024;

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly isProgressive: boolean;
}

/** JPEG. Keeps the segments of the image itself; metadata segments are rewritten or left out. */
export const jpeg: MediaFormat = {
  kind: 'image',
  mime: 'image/jpeg',
  extension: 'jpg',
  detectedAs: ['image/jpeg'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const body = new Pieces();
  /** The segments since the last scan. */
  let waiting = new Pieces();
  const profile = new ProfileParts();
  let jfif: Buffer | undefined;
  let adobe: Buffer | undefined;
  let orientation: Orientation | undefined;
  let frame: Frame | undefined;
  let scans = 0;
  let scanBytes = 0;

  for (let at = 2; ;) {
    source.step();
    const head = await source.bytesUpTo(at, 4);
    if (head.length < 2 && scans > 0) break;
    const code = head[1];
    if (code === undefined || head[0] !== 0xff) throw new MalformedFileError('no marker');
    if (code === 0xff) {
      at += 1;
      continue;
    }
    if (code === EOI) break;
    if (code === TEM || isRestart(code)) {
      at += 2;
      continue;
    }
    if (code < 0xc0 || code === SOI || head.length < 4) throw new MalformedFileError('no segment');
    const end = at + 2 + head.readUInt16BE(2);
    const segment = await source.bytes(at + 4, Math.max(0, end - at - 4));

    if (code === APP0 && startsWith(segment, JFIF)) jfif ??= withoutPreview(segment);
    else if (code === APP14 && startsWith(segment, ADOBE)) adobe ??= adobeSegment(segment);
    else if (code === APP2 && startsWith(segment, PROFILE)) profile.add(segment);
    else if (code === APP1 && startsWith(segment, EXIF)) {
      orientation ??= readOrientation(segment.subarray(EXIF.length));
    }
    if (code === SOF0 || code === SOF1 || code === SOF2) {
      if (frame !== undefined) throw new MalformedFileError('several frames');
      frame = readFrame(code, segment);
    }
    if (isImageSegment(code)) {
      if (!isExact(code, segment)) throw new MalformedFileError('an unexpected segment length');
      waiting.keep(at, end);
    } else if (code < APP0) throw new MalformedFileError('an unsupported kind of JPEG');
    at = end;
    if (code === SOS) {
      if (frame === undefined) throw new MalformedFileError('no frame');
      scans += 1;
      if (scans > SCANS_MAX || scans * frame.width * frame.height > SCAN_PIXELS_MAX) {
        throw new TooComplexMediaError('too many scans');
      }
      at = await endOfScan(source, end);
      scanBytes += at - end;
      body.append(waiting);
      body.keep(end, at);
      // Tables after the last scan are not used.
      waiting = new Pieces();
    }
  }
  if (scans === 0 || frame === undefined) throw new MalformedFileError('no image data');

  const pieces = new Pieces();
  pieces.keep(0, 2);
  // The JFIF segment must come first.
  if (jfif !== undefined) pieces.insert(segmentOf(APP0, jfif));
  if (orientation !== undefined && orientation !== 1) {
    const exif = Buffer.concat([Buffer.from(EXIF, 'latin1'), createOrientationExif(orientation)]);
    pieces.insert(segmentOf(APP1, exif));
  }
  for (const part of profile.clean()) pieces.insert(segmentOf(APP2, part));
  if (adobe !== undefined) pieces.insert(segmentOf(APP14, adobe));
  pieces.append(body);
  // Data after the end, such as the video of a motion photo, is not part of the image.
  pieces.insert(Buffer.from([0xff, EOI]));
  // Decoders hold a progressive image as coefficients of two bytes until it is complete.
  const bytesPerPixel = 4 + (frame.isProgressive ? 2 * frame.components : 0);
  assertCheapImage({ ...frame, bytesPerPixel, isScalable: true });
  // Even a block of 8 × 8 pixels in one color takes a bit.
  const blocks = Math.ceil(frame.width / 8) * Math.ceil(frame.height / 8);
  assertComplete(frame, scanBytes * 8 >= blocks);
  return { ...orientedSize(frame.width, frame.height, orientation ?? 1), pieces };
}

function isImageSegment(code: number): boolean {
  return [SOF0, SOF1, SOF2, DHT, DAC, SOS, DQT, DRI].includes(code);
}

/** Returns whether a segment has exactly the length that its content requires. */
function isExact(code: number, segment: Buffer): boolean {
  const { length } = segment;
  switch (code) {
    case DQT:
      return tableEnd(segment, (at) => 1 + ((segment[at] ?? 0) >= 0x10 ? 128 : 64)) === length;
    case DHT:
      return tableEnd(segment, (at) => 17 + sum(segment.subarray(at + 1, at + 17))) === length;
    case DAC:
      return length % 2 === 0;
    case DRI:
      return length === 2;
    case SOS:
      return length === 4 + 2 * (segment[0] ?? 0);
    default:
      return length === 6 + 3 * (segment[5] ?? 0);
  }
}

function tableEnd(segment: Buffer, lengthAt: (at: number) => number): number {
  let at = 0;
  while (at < segment.length) at += lengthAt(at);
  return at;
}

function sum(bytes: Buffer): number {
  return bytes.reduce((total, byte) => total + byte, 0);
}

function readFrame(code: number, segment: Buffer): Frame {
  if (segment.length < 6) throw new MalformedFileError('no frame');
  return {
    height: segment.readUInt16BE(1),
    width: segment.readUInt16BE(3),
    components: segment.readUInt8(5),
    isProgressive: code === SOF2,
  };
}

function withoutPreview(segment: Buffer): Buffer | undefined {
  if (segment.length < JFIF_LENGTH) return undefined;
  const kept = Buffer.from(segment.subarray(0, JFIF_LENGTH));
  // Clear the preview's width and height.
  kept.fill(0, 12);
  return kept;
}

function adobeSegment(segment: Buffer): Buffer | undefined {
  if (segment.length < ADOBE_LENGTH) return undefined;
  // Of the other fields, only the last byte matters: it determines how colors are stored.
  const kept = Buffer.alloc(ADOBE_LENGTH);
  kept.write(ADOBE, 'latin1');
  kept.writeUInt16BE(100, 5);
  kept.writeUInt8(segment.readUInt8(ADOBE_LENGTH - 1), ADOBE_LENGTH - 1);
  return kept;
}

/** Collects a color profile from its segments; each has its number, starting at 1, and the total. */
class ProfileParts {
  readonly #parts = new Map<number, Buffer>();
  #count = 0;
  #length = 0;

  add(segment: Buffer): void {
    const head = PROFILE.length + 2;
    if (segment.length < head || this.#length > PROFILE_BYTES_MAX) return;
    this.#count = segment.readUInt8(head - 1);
    this.#length += segment.length;
    this.#parts.set(segment.readUInt8(head - 2), Buffer.from(segment.subarray(head)));
  }

  /** Returns the segments of the cleaned profile, or none if there is no usable profile. */
  clean(): Buffer[] {
    const parts = Array.from({ length: this.#count }, (_, i) => this.#parts.get(i + 1));
    if (parts.includes(undefined)) return [];
    const profile = cleanProfile(Buffer.concat(parts.filter((part) => part !== undefined)));
    if (profile === undefined) return [];
    const partLength = SEGMENT_MAX - PROFILE.length - 2;
    const count = Math.ceil(profile.length / partLength);
    return Array.from({ length: count }, (_, i) =>
      Buffer.concat([
        Buffer.from(PROFILE, 'latin1'),
        Buffer.from([i + 1, count]),
        profile.subarray(i * partLength, (i + 1) * partLength),
      ]),
    );
  }
}

function startsWith(segment: Buffer, name: string): boolean {
  return segment.toString('latin1', 0, name.length) === name;
}

/** Returns the position of the first marker after a scan's data, or the end of the file. */
async function endOfScan(source: ByteSource, start: number): Promise<number> {
  let at = start;
  while (at < source.size) {
    const window = await source.bytesUpTo(at, SCAN_PIECE);
    let i = window.indexOf(0xff);
    for (; i !== -1 && i + 1 < window.length; i = window.indexOf(0xff, i + 1)) {
      const code = window[i + 1] ?? 0;
      // 0xff00 is an escaped data byte 0xff; fill bytes may precede a marker.
      if (code !== 0 && code !== 0xff && !isRestart(code)) return at + i;
    }
    if (window.length < 2) break;
    at += i === -1 ? window.length : i;
  }
  return source.size;
}

function segmentOf(code: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
