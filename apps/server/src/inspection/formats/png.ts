import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { LIMITS } from '@parley/contract';
import {
  MalformedFileError,
  readAll,
  TooComplexMediaError,
  type ByteSource,
} from './byte-source.ts';
import { orientedSize, createOrientationExif, readOrientation, type Orientation } from './exif.ts';
import { cleanProfile, PROFILE_BYTES_MAX } from './icc.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { AnimationBudget, assertCheapImage, assertComplete } from './image-budget.ts';
import { Pieces } from './pieces.ts';
import { PixelCleaner, layoutRows, type DataChunk, type RowGroup } from './png-data.ts';
import { createChunk, PNG_SIGNATURE, createProfileChunk } from './png-writer.ts';

/**
 * Chunks before the image data that affect how its pixels look (PNG, third edition), with a check of
 * their length. All others are metadata.
 */
const APPEARANCE_CHUNKS: Record<string, (length: number) => boolean> = {
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

/** Number of channels by color type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Maximum size of an Exif chunk in bytes, far more than any camera writes. */
const EXIF_MAX = 64 * 1024;

const inflateAsync = promisify<Buffer, object, Buffer>(inflate);

/** The compressed rows of an image or a frame, or the chunk of the file that announces a frame. */
type BodyPart =
  | { readonly chunks: DataChunk[]; readonly rows: readonly RowGroup[] }
  | { readonly from: number; readonly to: number };

/** PNG, including APNG. */
export const png: MediaFormat = {
  kind: 'image',
  mime: 'image/png',
  extension: 'png',
  detectedAs: ['image/png', 'image/apng'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = Buffer.from(await source.bytes(8, 25));
  if (header.readUInt32BE(0) !== 13 || header.toString('latin1', 4, 8) !== 'IHDR') {
    throw new MalformedFileError('no header');
  }
  const width = header.readUInt32BE(8);
  const height = header.readUInt32BE(12);
  const bitDepth = header.readUInt8(16);
  const channels = CHANNELS[header.readUInt8(17)];
  if (channels === undefined) throw new MalformedFileError('no color type');
  const isInterlaced = header.readUInt8(20) !== 0;
  const layout = { bitDepth, channels, isInterlaced };

  const pieces = new Pieces();
  pieces.keep(0, PNG_SIGNATURE.length + header.length);
  const body: BodyPart[] = [];
  const addData = (chunk: DataChunk, rows: readonly RowGroup[]) => {
    const last = body.at(-1);
    if (last !== undefined && 'chunks' in last && last.chunks[0]?.type === chunk.type) {
      last.chunks.push(chunk);
    } else body.push({ chunks: [chunk], rows });
  };
  const seenTypes = new Set<string>();
  const animation = new Animation(width, height);
  let orientation: Orientation | undefined;
  let isAfterData = false;
  for (let at = PNG_SIGNATURE.length + header.length; ;) {
    source.step();
    const head = await source.bytes(at, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + length;
    if (end > source.size) throw new MalformedFileError('unexpected end');
    if (type === 'IEND') break;

    const isBeforeData = !seenTypes.has('IDAT');
    if (type === 'IDAT') {
      if (isAfterData) throw new MalformedFileError('image data in several places');
      addData({ type, at, length }, layoutRows(width, height, layout));
    } else {
      isAfterData = !isBeforeData;
      if (type === 'eXIf' && isBeforeData && length <= EXIF_MAX) {
        orientation ??= readOrientation(await source.bytes(at + 8, length));
      } else if (type === 'iCCP' && isBeforeData && !seenTypes.has(type)) {
        if (length <= PROFILE_BYTES_MAX)
          pieces.append(await cleanProfileChunk(source, at + 8, length));
      } else if (type === 'fcTL' || type === 'fdAT') {
        const chunk = { type, at, length } as const;
        const frame = await animation.add(source, chunk, isBeforeData);
        if (type === 'fcTL' && frame !== undefined) body.push({ from: at, to: end });
        else if (frame !== undefined) {
          const rows = layoutRows(frame.width, frame.height, layout);
          addData({ type: 'fdAT', at, length }, rows);
        }
      } else if (APPEARANCE_CHUNKS[type] !== undefined) {
        const isKept = isBeforeData && !seenTypes.has(type) && APPEARANCE_CHUNKS[type](length);
        if (isKept && type === 'acTL') {
          if (animation.begin(await source.bytes(at + 8, 4))) pieces.keep(at, end);
        } else if (isKept) pieces.keep(at, end);
        else if (isCritical(type)) throw new MalformedFileError('no palette');
      } else if (isCritical(type)) throw new MalformedFileError('unknown critical chunk');
    }
    seenTypes.add(type);
    at = end;
  }
  if (!seenTypes.has('IDAT')) throw new MalformedFileError('no image data');
  // Deep colors take twice the memory; interlaced images are assembled in a separate buffer.
  const image = {
    width,
    height,
    bytesPerPixel: (bitDepth === 16 ? 8 : 4) + (isInterlaced ? 4 : 0),
  };
  assertCheapImage(image);
  animation.budget.assertCheap(width, height);

  // Browsers read the orientation only before the image data.
  if (orientation !== undefined && orientation !== 1) {
    pieces.insert(createChunk('eXIf', createOrientationExif(orientation)));
  }
  const cleaner = new PixelCleaner(source);
  for (const part of body) {
    if ('chunks' in part) {
      pieces.append(await cleaner.clean(part.chunks, part.rows));
      // A frame is no larger than the image.
      assertComplete(image, cleaner.isComplete);
    } else pieces.keep(part.from, part.to);
  }
  pieces.insert(createChunk('IEND', Buffer.alloc(0)));
  if (pieces.length > LIMITS.imageBytesMax) throw new TooComplexMediaError('too large as stored');
  return {
    ...orientedSize(width, height, orientation ?? 1),
    frames: animation.budget.frames,
    pieces,
  };
}

/** The size of a frame in pixels. */
interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Checks the frames of an APNG. From the first chunk on that browsers do not show, none is kept: the one of a frame
 * beyond the stated number, with a wrong checksum or out of sequence, or data without a frame.
 */
class Animation {
  readonly budget = new AnimationBudget();
  readonly #width: number;
  readonly #height: number;
  #framesLeft = 0;
  #nextNumber = 0;
  /** The frame to which data belongs; undefined before the first, and for the data of the still image. */
  #frame: FrameSize | undefined;
  #hasFrameOfImage = false;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Reads the number of frames. Returns whether there are any. */
  begin(count: Buffer): boolean {
    this.#framesLeft = count.readUInt32BE();
    return this.#framesLeft > 0;
  }

  /** Adds a chunk of a frame. Returns the size of its frame if it is kept. */
  async add(
    source: ByteSource,
    { type, at, length }: { type: 'fcTL' | 'fdAT'; at: number; length: number },
    isBeforeData: boolean,
  ): Promise<FrameSize | undefined> {
    if (this.#framesLeft < 0 || (this.#framesLeft === 0 && type === 'fcTL')) return this.#end();
    if (type === 'fdAT') {
      if (length < 4) throw new MalformedFileError('no sequence number');
      const number = (await source.bytes(at + 8, 4)).readUInt32BE();
      if (this.#frame === undefined || number !== this.#nextNumber) return this.#end();
      this.#nextNumber += 1;
      return this.#frame;
    }
    if (length !== 26) throw new MalformedFileError('no frame');
    const chunk = Buffer.from(await source.bytes(at + 4, 34));
    const isRepeated = isBeforeData && this.#hasFrameOfImage;
    const isIntact = crc32(chunk.subarray(0, 30)) === chunk.readUInt32BE(30);
    if (!isIntact || isRepeated || chunk.readUInt32BE(4) !== this.#nextNumber) return this.#end();
    this.#nextNumber += 1;
    this.#framesLeft -= 1;
    const frame = this.#readFrame(chunk.subarray(4));
    if (isBeforeData) this.#hasFrameOfImage = true;
    else this.#frame = frame;
    return frame;
  }

  #end(): undefined {
    this.#framesLeft = -1;
    this.#frame = undefined;
  }

  #readFrame(control: Buffer): FrameSize {
    const width = control.readUInt32BE(4);
    const height = control.readUInt32BE(8);
    const right = width + control.readUInt32BE(12);
    const bottom = height + control.readUInt32BE(16);
    if (right > this.#width || bottom > this.#height) throw new MalformedFileError('no frame');
    // The delay is a fraction of a second; a denominator of 0 stands for 100.
    this.budget.addFrame((control.readUInt16BE(20) * 1000) / (control.readUInt16BE(22) || 100));
    return { width, height };
  }
}

/** Returns a chunk with the cleaned profile and a neutral name, or no pieces if it is invalid. */
async function cleanProfileChunk(source: ByteSource, at: number, length: number): Promise<Pieces> {
  const pieces = new Pieces();
  const content = await readAll(source, at, length);
  const name = content.indexOf(0);
  if (name < 1 || name > 79 || content[name + 1] !== 0) return pieces;
  const options = { maxOutputLength: PROFILE_BYTES_MAX };
  const profile = await inflateAsync(content.subarray(name + 2), options).catch(() => undefined);
  const cleaned = profile === undefined ? undefined : cleanProfile(profile);
  if (cleaned !== undefined) pieces.insert(await createProfileChunk(cleaned));
  return pieces;
}

/**
 * Returns whether a decoder must understand a chunk to show the image: its type begins with a capital
 * letter.
 */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}
