import {
  MalformedFileError,
  readAll,
  TooComplexMediaError,
  type ByteSource,
} from '../byte-source.ts';
import { cleanProfile, PROFILE_BYTES_MAX } from '../icc.ts';
import { assertCheapImage } from '../image-budget.ts';
import type { Contents, MediaFormat } from '../media-format.ts';
import {
  PNG_COLORS,
  createChunk,
  createProfileChunk,
  writePng,
  type PngHeader,
} from '../png-writer.ts';
import { createColorConverter, hasAnyBit, type ConvertRow } from './color-rows.ts';
import { readBmpHeader, type BmpHeader, type ChannelMasks } from './header.ts';
import { decodeRuns } from './run-length.ts';

/** Number of bytes that are converted at once. */
const BAND_BYTES = 256 * 1024;

/** Maximum number of run-length encoded pixels, which are decoded in memory. */
const DECODED_PIXELS_MAX = 16_000_000;

/**
 * Windows BMP. It is stored as PNG, which is smaller and has no gaps that could hold other data, and
 * looks the same.
 */
export const bmp: MediaFormat = {
  kind: 'image',
  mime: 'image/png',
  extension: 'png',
  detectedAs: ['image/bmp'],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await readBmpHeader(source);
  const { width, height, bitsPerPixel, isRunLengthEncoded, dataAt, colors } = header;
  assertCheapImage({ width, height });
  if (isRunLengthEncoded && width * height > DECODED_PIXELS_MAX) {
    throw new TooComplexMediaError('too many pixels');
  }
  const end = isRunLengthEncoded ? dataAt : dataAt + strideOf(header) * height;
  if (end > source.size) throw new MalformedFileError('unexpected end');

  const chunks = await readProfile(source, header);
  const write = (shape: Omit<PngHeader, 'width' | 'height'>, lines: AsyncIterable<Buffer>) =>
    writePng({ width, height, ...shape }, chunks, lines);
  let pieces;
  if ('masks' in colors) {
    const masks = await visibleMasks(source, header, colors.masks);
    const convert = createColorConverter(masks, header);
    const [colorType, channels] = masks.alpha === 0 ? [PNG_COLORS.rgb, 3] : [PNG_COLORS.rgba, 4];
    const lines = convertRows(source, header, 1 + width * channels, convert);
    pieces = await write({ bitDepth: 8, colorType }, lines);
  } else {
    chunks.push(createChunk('PLTE', colors.palette));
    const bitDepth = isRunLengthEncoded ? 8 : bitsPerPixel;
    const lines = isRunLengthEncoded ? decodeRows(source, header) : copyRows(source, header);
    pieces = await write({ bitDepth, colorType: PNG_COLORS.palette }, lines);
  }
  return { width, height, pieces };
}

/** Returns a chunk with the cleaned color profile, or none. */
async function readProfile(source: ByteSource, { profile }: BmpHeader): Promise<Buffer[]> {
  if (profile === undefined || profile.length > PROFILE_BYTES_MAX) return [];
  // Browsers ignore invalid profiles.
  if (profile.at + profile.length > source.size) return [];
  const cleaned = cleanProfile(await readAll(source, profile.at, profile.length));
  return cleaned === undefined ? [] : [await createProfileChunk(cleaned)];
}

/**
 * Returns the masks without alpha if all pixels are transparent: many programs leave alpha empty
 * in opaque images.
 */
async function visibleMasks(
  source: ByteSource,
  header: BmpHeader,
  masks: ChannelMasks,
): Promise<ChannelMasks> {
  if (masks.alpha === 0) return masks;
  for await (const { rows, starts } of readBands(source, header)) {
    if (starts.some((start) => hasAnyBit(rows, start, header, masks.alpha))) return masks;
  }
  return { ...masks, alpha: 0 };
}

/** Returns the number of bytes of a row, which are padded to 32 bits. */
function strideOf({ width, bitsPerPixel }: BmpHeader): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

/** Some rows of a file. */
interface Band {
  readonly rows: Buffer;
  /** Where each row begins, from top to bottom. */
  readonly starts: readonly number[];
}

/** Yields the rows from top to bottom. */
async function* readBands(source: ByteSource, header: BmpHeader): AsyncGenerator<Band> {
  const { height, isTopDown, dataAt } = header;
  const stride = strideOf(header);
  const rowsPerBand = Math.max(1, Math.floor(BAND_BYTES / stride));
  for (let y = 0; y < height; y += rowsPerBand) {
    const count = Math.min(rowsPerBand, height - y);
    const position = dataAt + (isTopDown ? y : height - y - count) * stride;
    const rows = await readAll(source, position, count * stride);
    const starts = Array.from({ length: count }, (_, i) => i * stride);
    yield { rows, starts: isTopDown ? starts : starts.toReversed() };
  }
}

/** Yields the lines of a PNG. */
async function* convertRows(
  source: ByteSource,
  header: BmpHeader,
  lineLength: number,
  convert: ConvertRow,
): AsyncGenerator<Buffer> {
  for await (const { rows, starts } of readBands(source, header)) {
    const lines = Buffer.alloc(starts.length * lineLength);
    for (const [i, start] of starts.entries()) convert(rows, start, lines, i * lineLength);
    yield lines;
  }
}

/** Yields the lines of a PNG with a palette. Its pixels are packed like those of a BMP. */
function copyRows(source: ByteSource, header: BmpHeader): AsyncGenerator<Buffer> {
  const bits = header.width * header.bitsPerPixel;
  const length = Math.ceil(bits / 8);
  // Bits after the last pixel could hold other data.
  const lastByte = (0xff << (length * 8 - bits)) & 0xff;
  return convertRows(source, header, 1 + length, (rows, from, lines, to) => {
    rows.copy(lines, to + 1, from, from + length);
    lines[to + length] = (lines[to + length] ?? 0) & lastByte;
  });
}

/** Yields the lines of a PNG with a palette from run-length encoded pixels. */
async function* decodeRows(source: ByteSource, header: BmpHeader): AsyncGenerator<Buffer> {
  const { width, height, dataAt } = header;
  const data = await readAll(source, dataAt, source.size - dataAt);
  const pixels = decodeRuns(data, header);
  const linesPerBand = Math.ceil(BAND_BYTES / width);
  for (let y = 0; y < height; y += linesPerBand) {
    const count = Math.min(linesPerBand, height - y);
    const lines = Buffer.alloc(count * (1 + width));
    for (let i = 0; i < count; i += 1) {
      pixels.copy(lines, i * (1 + width) + 1, (y + i) * width, (y + i + 1) * width);
    }
    yield lines;
  }
}
