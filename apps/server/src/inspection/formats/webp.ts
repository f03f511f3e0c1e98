import { MalformedFileError, readAll, type ByteSource } from './byte-source.ts';
import { createOrientationExif, readOrientation, type Orientation } from './exif.ts';
import { cleanProfile, PROFILE_BYTES_MAX } from './icc.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { AnimationBudget, assertCheapImage } from './image-budget.ts';
import { Pieces } from './pieces.ts';
import { riffChunks, riffChunksWithin, createRiffHeader, type RiffChunk } from './riff.ts';

// Flags of the extended header (RFC 9649).
const PROFILE_FLAG = 0x20;
const ALPHA_FLAG = 0x10;
const EXIF_FLAG = 0x08;
const ANIMATION_FLAG = 0x02;

/** Maximum size of an Exif chunk; larger ones are ignored. */
const EXIF_BYTES_MAX = 64 * 1024;
/** Length of the frame header, which begins the data of an `ANMF` chunk. */
const FRAME_HEADER_BYTES = 16;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** WebP, including animations. */
export const webp: MediaFormat = {
  kind: 'image',
  mime: 'image/webp',
  extension: 'webp',
  detectedAs: ['image/webp'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  let extendedHeader: Buffer | undefined;
  let profile: Buffer | undefined;
  let animationParameters: Buffer | undefined;
  let orientation: Orientation = 1;
  const still = new FrameChunks(source);
  const animated = new Pieces();
  const animation = new AnimationBudget();

  for await (const chunk of riffChunks(source)) {
    const { id, at, length } = chunk;
    if (id === 'VP8X') {
      if (extendedHeader !== undefined) throw new MalformedFileError('several headers');
      extendedHeader = Buffer.from(await source.bytes(at + 8, 10));
    } else if (id === 'EXIF' && length <= EXIF_BYTES_MAX) {
      orientation = readOrientation(withoutSegmentName(await source.bytes(at + 8, length)));
    } else if (id === 'ICCP' && length <= PROFILE_BYTES_MAX) {
      profile ??= cleanProfile(await readAll(source, at + 8, length));
    } else if (id === 'ANIM') {
      animationParameters ??= Buffer.from(await source.bytes(at + 8, 6));
    } else if (id === 'ANMF' && extendedHeader !== undefined) {
      animated.append(await readFrame(source, chunk, canvasOf(extendedHeader), animation));
    } else if (id !== 'ALPH' || extendedHeader !== undefined) {
      // Without the header, an alpha channel is not used.
      await still.add(chunk);
    }
  }
  const isAnimation = ((extendedHeader?.[0] ?? 0) & ANIMATION_FLAG) !== 0;
  const body = isAnimation ? animated : still.pieces;
  const canvas = extendedHeader === undefined ? still.size : canvasOf(extendedHeader);
  if (
    canvas === undefined ||
    body.length === 0 ||
    (isAnimation && animationParameters === undefined)
  ) {
    throw new MalformedFileError('no image data');
  }
  if (!isAnimation && (canvas.width !== still.size?.width || canvas.height !== still.size.height)) {
    throw new MalformedFileError('inconsistent image sizes');
  }
  animation.assertCheap(canvas.width, canvas.height);

  const chunks = new Pieces();
  if (extendedHeader !== undefined) {
    const hasOrientation = orientation !== 1;
    const flags =
      ((extendedHeader[0] ?? 0) & (ALPHA_FLAG | ANIMATION_FLAG)) |
      (profile === undefined ? 0 : PROFILE_FLAG) |
      (hasOrientation ? EXIF_FLAG : 0);
    // Clears the flags and the reserved bits after them.
    extendedHeader.fill(0, 0, 4);
    extendedHeader.writeUInt8(flags, 0);
    chunks.insert(createChunk('VP8X', extendedHeader));
    if (profile !== undefined) chunks.insert(createChunk('ICCP', profile));
    if (isAnimation && animationParameters !== undefined)
      chunks.insert(createChunk('ANIM', animationParameters));
    chunks.append(body);
    if (hasOrientation) chunks.insert(createChunk('EXIF', createOrientationExif(orientation)));
  } else chunks.append(body);

  const pieces = new Pieces();
  pieces.insert(createRiffHeader('WEBP', chunks.length));
  pieces.append(chunks);
  // Decoders assemble lossless images in a separate buffer, which doubles the 4 bytes per pixel.
  assertCheapImage({ ...canvas, bytesPerPixel: 8 });
  // Browsers ignore the orientation of a WebP, so this is the size as stored.
  return { ...canvas, frames: isAnimation ? animation.frames : 0, pieces };
}

function canvasOf(extendedHeader: Buffer): Size {
  return {
    width: extendedHeader.readUIntLE(4, 3) + 1,
    height: extendedHeader.readUIntLE(7, 3) + 1,
  };
}

/** Reads one frame of an animation, leaving out chunks without image data. */
async function readFrame(
  source: ByteSource,
  { at, length, end }: RiffChunk,
  canvas: Size,
  animation: AnimationBudget,
): Promise<Pieces> {
  if (length < FRAME_HEADER_BYTES) throw new MalformedFileError('an invalid frame');
  const header = Buffer.from(await source.bytes(at + 8, FRAME_HEADER_BYTES));
  const [width, height] = [header.readUIntLE(6, 3) + 1, header.readUIntLE(9, 3) + 1];
  // Coordinates are stored in units of two pixels.
  const right = header.readUIntLE(0, 3) * 2 + width;
  const bottom = header.readUIntLE(3, 3) * 2 + height;
  if (right > canvas.width || bottom > canvas.height)
    throw new MalformedFileError('an invalid frame');
  animation.addFrame(header.readUIntLE(12, 3));

  const image = new FrameChunks(source);
  for await (const chunk of riffChunksWithin(source, at + 8 + FRAME_HEADER_BYTES, end)) {
    await image.add(chunk);
  }
  if (image.size?.width !== width || image.size.height !== height) {
    throw new MalformedFileError('an invalid frame');
  }
  const pieces = new Pieces();
  pieces.insert(createChunkHeader('ANMF', FRAME_HEADER_BYTES + image.pieces.length));
  pieces.insert(header);
  pieces.append(image.pieces);
  return pieces;
}

/** Collects the chunks of one image: its data and, if stored separately, its alpha channel. */
class FrameChunks {
  readonly pieces = new Pieces();
  size: Size | undefined;
  readonly #source: ByteSource;
  #alpha: RiffChunk | undefined;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Adds a chunk if it belongs to the image. */
  async add(chunk: RiffChunk): Promise<void> {
    if (this.size !== undefined) return;
    if (chunk.id === 'ALPH') {
      if (this.#alpha !== undefined) throw new MalformedFileError('several alpha channels');
      this.#alpha = chunk;
    } else if (chunk.id === 'VP8 ') {
      this.size = await readLossySize(this.#source, chunk.at);
      if (this.#alpha !== undefined)
        this.#keep(await cutAlpha(this.#source, this.#alpha, this.size));
      this.#keep(chunk);
    } else if (chunk.id === 'VP8L') {
      // It contains its alpha channel. A separate one is not used.
      this.size = await readLosslessSize(this.#source, chunk.at);
      this.#keep(chunk);
    }
  }

  #keep({ id, at, length }: Pick<RiffChunk, 'id' | 'at' | 'length'>): void {
    this.pieces.insert(createChunkHeader(id, length));
    this.pieces.keep(at + 8, at + 8 + length);
    // The last chunk of a file may lack its padding byte.
    this.pieces.zeros(length % 2);
  }
}

/** Returns an alpha channel without what follows it, which can only be told if it is not compressed. */
async function cutAlpha(
  source: ByteSource,
  { id, at, length }: RiffChunk,
  { width, height }: Size,
): Promise<Pick<RiffChunk, 'id' | 'at' | 'length'>> {
  const [flags = 0] = await source.bytesUpTo(at + 8, Math.min(1, length));
  const isCompressed = (flags & 3) !== 0;
  return { id, at, length: isCompressed ? length : Math.min(length, 1 + width * height) };
}

async function readLossySize(source: ByteSource, at: number): Promise<Size> {
  const frame = await source.bytes(at + 8, 10);
  if (frame.readUIntBE(3, 3) !== 0x9d012a) throw new MalformedFileError('no key frame');
  return { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff };
}

async function readLosslessSize(source: ByteSource, at: number): Promise<Size> {
  const frame = await source.bytes(at + 8, 5);
  if (frame[0] !== 0x2f) throw new MalformedFileError('no lossless image');
  const bits = frame.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Removes the JPEG segment name, which some encoders put before the Exif block. */
function withoutSegmentName(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
}

function createChunkHeader(id: string, length: number): Buffer {
  const header = Buffer.from(`${id}\0\0\0\0`, 'latin1');
  header.writeUInt32LE(length, 4);
  return header;
}

function createChunk(id: string, content: Buffer): Buffer {
  return Buffer.concat([
    createChunkHeader(id, content.length),
    content,
    Buffer.alloc(content.length % 2),
  ]);
}
