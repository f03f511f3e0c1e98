import { MalformedFileError, readAll, type ByteSource } from '../byte-source.ts';

const FILE_HEADER = 14;

/** Sizes of the headers, which identify their versions. */
const CORE_HEADER = 12;
const INFO_HEADER = 40;
const V2_HEADER = 52;
const V3_HEADER = 56;
const V4_HEADER = 108;
const V5_HEADER = 124;
const HEADERS = new Set([CORE_HEADER, INFO_HEADER, V2_HEADER, V3_HEADER, V4_HEADER, V5_HEADER]);

/** How the pixels are stored. Embedded JPEGs and PNGs (4 and 5) are for printers only. */
const COMPRESSION = { none: 0, runs8: 1, runs4: 2, bitFields: 3, alphaBitFields: 6 } as const;

/** The accepted numbers of bits per pixel by compression. */
const BITS: Record<number, readonly number[]> = {
  [COMPRESSION.none]: [1, 2, 4, 8, 16, 24, 32],
  [COMPRESSION.runs8]: [8],
  [COMPRESSION.runs4]: [4],
  [COMPRESSION.bitFields]: [16, 32],
  [COMPRESSION.alphaBitFields]: [16, 32],
};

/** Value of the color space field for an embedded color profile. */
const EMBEDDED_PROFILE = 0x4d424544;

/** The bits of a pixel that hold each channel; 0 if there are none. */
export interface ChannelMasks {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const MASKS_15 = { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 };
const MASKS_24 = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 };

/** What the headers of a BMP state about its pixels. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  readonly isRunLengthEncoded: boolean;
  /** Position of the pixels in the file. */
  readonly dataAt: number;
  /** The colors: red, green and blue of each possible value of a pixel, or bit masks. */
  readonly colors: { readonly palette: Buffer } | { readonly masks: ChannelMasks };
  /** Range of the color profile in the file. */
  readonly profile: { readonly at: number; readonly length: number } | undefined;
}

/**
 * Reads the headers and the palette of a BMP.
 * @throws {MalformedFileError} also for variants that browsers do not display.
 */
export async function readBmpHeader(source: ByteSource): Promise<BmpHeader> {
  const file = await source.bytes(0, FILE_HEADER + 4);
  const dataAt = file.readUInt32LE(10);
  const headerSize = file.readUInt32LE(FILE_HEADER);
  if (!HEADERS.has(headerSize)) throw new MalformedFileError('no header');
  const header = Buffer.from(await source.bytes(FILE_HEADER, headerSize));
  const isCore = headerSize === CORE_HEADER;
  const width = isCore ? header.readUInt16LE(4) : header.readInt32LE(4);
  const signedHeight = isCore ? header.readUInt16LE(6) : header.readInt32LE(8);
  const isTopDown = signedHeight < 0;
  const bitsPerPixel = header.readUInt16LE(isCore ? 10 : 14);
  const compression = isCore ? COMPRESSION.none : header.readUInt32LE(16);
  if (width <= 0 || signedHeight === 0) throw new MalformedFileError('no pixels');
  if (!BITS[compression]?.includes(bitsPerPixel)) throw new MalformedFileError('no such colors');
  const isRunLengthEncoded = compression === COMPRESSION.runs8 || compression === COMPRESSION.runs4;
  if (isRunLengthEncoded && isTopDown) throw new MalformedFileError('runs from top to bottom');

  const base = { width, height: Math.abs(signedHeight), isTopDown, bitsPerPixel, dataAt };
  const headersEnd = FILE_HEADER + headerSize;
  if (dataAt < headersEnd) throw new MalformedFileError('pixels inside of the header');
  if (bitsPerPixel > 8) {
    const masks = await readMasks(source, { headerSize, bitsPerPixel, compression, dataAt });
    return { ...base, isRunLengthEncoded, colors: { masks }, profile: findProfile(header) };
  }
  const count = 2 ** bitsPerPixel;
  const stated = isCore ? 0 : header.readUInt32LE(32);
  const colors = stated === 0 ? count : Math.min(stated, count);
  const entrySize = isCore ? 3 : 4;
  if (headersEnd + colors * entrySize > dataAt) throw new MalformedFileError('no palette');
  const entries = await readAll(source, headersEnd, colors * entrySize);
  const palette = toRgb(entries, entrySize, count);
  return { ...base, isRunLengthEncoded, colors: { palette }, profile: findProfile(header) };
}

/** Reads the masks, which follow the smallest information header and are part of the larger ones. */
async function readMasks(
  source: ByteSource,
  {
    headerSize,
    bitsPerPixel,
    compression,
    dataAt,
  }: { headerSize: number; bitsPerPixel: number; compression: number; dataAt: number },
): Promise<ChannelMasks> {
  if (compression === COMPRESSION.none) return bitsPerPixel === 16 ? MASKS_15 : MASKS_24;
  const hasAlpha = compression === COMPRESSION.alphaBitFields || headerSize >= V3_HEADER;
  const at = FILE_HEADER + INFO_HEADER;
  const length = hasAlpha ? 16 : 12;
  if (at + length > dataAt) throw new MalformedFileError('pixels inside of the masks');
  const fields = await source.bytes(at, length);
  const masks = {
    red: fields.readUInt32LE(0),
    green: fields.readUInt32LE(4),
    blue: fields.readUInt32LE(8),
    alpha: hasAlpha ? fields.readUInt32LE(12) : 0,
  };
  let used = 0;
  for (const mask of Object.values(masks)) {
    if (mask >= 2 ** bitsPerPixel || (mask & used) !== 0) throw new MalformedFileError('no masks');
    used |= mask;
  }
  return masks;
}

/** Converts palette entries, which begin with blue, green and red. Missing ones are black. */
function toRgb(entries: Buffer, entrySize: number, count: number): Buffer {
  const palette = Buffer.alloc(count * 3);
  for (let i = 0; i * entrySize < entries.length; i += 1) {
    palette.set(entries.subarray(i * entrySize, i * entrySize + 3).toReversed(), i * 3);
  }
  return palette;
}

function findProfile(header: Buffer): BmpHeader['profile'] {
  if (header.length < V5_HEADER || header.readUInt32LE(56) !== EMBEDDED_PROFILE) return undefined;
  return { at: FILE_HEADER + header.readUInt32LE(112), length: header.readUInt32LE(116) };
}
