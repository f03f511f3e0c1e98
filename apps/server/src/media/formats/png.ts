import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import { MalformedFile, readAll, type ByteSource } from './byte-source.ts';
import { oriented, orientationOnly, readOrientation, type Orientation } from './exif.ts';
import { cleanProfile, PROFILE_BYTES_MAX } from './icc.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { AnimationBudget, assertCheapPicture } from './picture-budget.ts';
import { Pieces } from './pieces.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Chunks of PNG (third edition) in front of the picture that say how its pixels look, with the
 * lengths that they may have. All others say who made it, and when.
 */
const LOOKS: Record<string, (length: number) => boolean> = {
  PLTE: (length) => length % 3 === 0 && length <= 768,
  tRNS: (length) => length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  cICP: (length) => length === 4,
  mDCV: (length) => length === 24,
  cLLI: (length) => length === 8,
  sBIT: (length) => length <= 4,
  bKGD: (length) => [1, 2, 6].includes(length),
  pHYs: (length) => length === 9,
  acTL: (length) => length === 8,
};

/** Channels by color type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Far more than any camera writes. */
const EXIF_MAX = 64 * 1024;

const inflated = promisify<Buffer, object, Buffer>(inflate);
const deflated = promisify<Buffer, Buffer>(deflate);

/** PNG, APNG included. */
export const png: MediaFormat = {
  kind: 'image',
  mime: 'image/png',
  ending: 'png',
  detectedAs: ['image/png', 'image/apng'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = Buffer.from(await source.bytes(8, 25));
  if (header.readUInt32BE(0) !== 13 || header.toString('latin1', 4, 8) !== 'IHDR') {
    throw new MalformedFile('no header');
  }
  const width = header.readUInt32BE(8);
  const height = header.readUInt32BE(12);
  const channels = CHANNELS[header.readUInt8(17)];
  if (channels === undefined) throw new MalformedFile('no color type');

  const pieces = new Pieces();
  pieces.keep(0, SIGNATURE.length + header.length);
  const body = new Pieces();
  const seen = new Set<string>();
  const animation = new Animation(width, height);
  let orientation: Orientation | undefined;
  let isAfterData = false;
  for (let at = SIGNATURE.length + header.length; ;) {
    source.step();
    const head = await source.bytes(at, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + length;
    if (end > source.size) throw new MalformedFile('ends too early');
    if (type === 'IEND') break;

    const isInFront = !seen.has('IDAT');
    if (type === 'IDAT') {
      if (isAfterData) throw new MalformedFile('a picture in several places');
      body.keep(at, end);
    } else {
      isAfterData = !isInFront;
      if (type === 'eXIf' && isInFront && length <= EXIF_MAX) {
        orientation ??= readOrientation(await source.bytes(at + 8, length));
      } else if (type === 'iCCP' && isInFront && !seen.has(type)) {
        if (length <= PROFILE_BYTES_MAX) pieces.append(await profileChunk(source, at + 8, length));
      } else if (type === 'fcTL' && seen.has('acTL')) {
        if (length !== 26) throw new MalformedFile('no frame');
        animation.add(await source.bytes(at + 8, length));
        body.keep(at, end);
      } else if (type === 'fdAT' && seen.has('acTL')) {
        body.keep(at, end);
      } else if (LOOKS[type] !== undefined) {
        const isKept = isInFront && !seen.has(type) && LOOKS[type](length);
        if (isKept) pieces.keep(at, end);
        else if (isCritical(type)) throw new MalformedFile('no palette');
      } else if (isCritical(type)) throw new MalformedFile('unknown critical chunk');
    }
    seen.add(type);
    at = end;
  }
  if (!seen.has('IDAT')) throw new MalformedFile('no picture');
  // Deep colors take twice the memory; an interlaced picture is put together in a buffer of its own.
  const bytesPerPixel = (header.readUInt8(16) === 16 ? 8 : 4) + (header.readUInt8(20) ? 4 : 0);
  assertCheapPicture({ width, height, bytesPerPixel }, source.size);
  animation.budget.assertCheap(width, height);

  // Browsers heed it in front of the picture only.
  if (orientation !== undefined && orientation !== 1) {
    pieces.insert(chunk('eXIf', orientationOnly(orientation)));
  }
  pieces.append(body);
  pieces.insert(chunk('IEND', Buffer.alloc(0)));
  return { ...oriented(width, height, orientation ?? 1), frames: animation.budget.frames, pieces };
}

/** The frames of an APNG. */
class Animation {
  readonly budget = new AnimationBudget();
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Takes the content of a frame's `fcTL` chunk. */
  add(control: Buffer): void {
    const right = control.readUInt32BE(4) + control.readUInt32BE(12);
    const bottom = control.readUInt32BE(8) + control.readUInt32BE(16);
    if (right > this.#width || bottom > this.#height) throw new MalformedFile('no frame');
    // A fraction of a second; without a denominator, of 100.
    this.budget.addFrame((control.readUInt16BE(20) * 1000) / (control.readUInt16BE(22) || 100));
  }
}

/** A chunk with the cleaned profile, under a name that says nothing; nothing if it cannot be read. */
async function profileChunk(source: ByteSource, at: number, length: number): Promise<Pieces> {
  const pieces = new Pieces();
  const content = await readAll(source, at, length);
  const name = content.indexOf(0);
  if (name < 1 || name > 79 || content[name + 1] !== 0) return pieces;
  const options = { maxOutputLength: PROFILE_BYTES_MAX };
  const profile = await inflated(content.subarray(name + 2), options).catch(() => undefined);
  const cleaned = profile === undefined ? undefined : cleanProfile(profile);
  if (cleaned === undefined) return pieces;
  pieces.insert(
    chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), await deflated(cleaned)])),
  );
  return pieces;
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
