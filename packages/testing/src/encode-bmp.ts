const FILE_HEADER = 14;
const CORE_HEADER = 12;

/** What a BMP consists of. */
export interface BmpParts {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  /** The pixels of each row, from top to bottom. */
  readonly rows?: readonly Buffer[];
  /** The pixels as they are stored, instead of rows. */
  readonly data?: Buffer;
  readonly isTopDown?: boolean;
  /** 40 by default, which is that of most files. */
  readonly headerSize?: number;
  readonly compression?: number;
  /** Content of the header after its first 40 bytes. */
  readonly moreHeader?: Buffer;
  /** Masks and colors, as they are stored. */
  readonly palette?: Buffer;
  /** Number of colors that the header states; 0 stands for all. */
  readonly colors?: number;
  /** Bytes between the palette and the pixels. */
  readonly gap?: Buffer;
  /** Content of unused fields and of the ends of rows. */
  readonly filler?: Buffer;
  /** Bytes after the pixels. */
  readonly end?: Buffer;
}

/** Creates a BMP. */
export function encodeBmp({
  width,
  height,
  bitsPerPixel,
  rows = [],
  isTopDown = false,
  filler = Buffer.alloc(4),
  data = joinRows(rows, filler, isTopDown),
  headerSize = 40,
  compression = 0,
  moreHeader = Buffer.alloc(0),
  palette = Buffer.alloc(0),
  colors = 0,
  gap = Buffer.alloc(0),
  end = Buffer.alloc(0),
}: BmpParts): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(FILE_HEADER);
  const header = Buffer.alloc(headerSize);
  const dataAt = FILE_HEADER + headerSize + palette.length + gap.length;
  file.write('BM', 'latin1');
  file.writeUInt32LE(dataAt + data.length + end.length, 2);
  filler.copy(file, 6, 0, 4);
  file.writeUInt32LE(dataAt, 10);
  header.writeUInt32LE(headerSize, 0);
  if (headerSize === CORE_HEADER) {
    header.writeUInt16LE(width, 4);
    header.writeUInt16LE(height, 6);
    header.writeUInt16LE(1, 8);
    header.writeUInt16LE(bitsPerPixel, 10);
  } else {
    header.writeInt32LE(width, 4);
    header.writeInt32LE(isTopDown ? -height : height, 8);
    header.writeUInt16LE(1, 12);
    header.writeUInt16LE(bitsPerPixel, 14);
    header.writeUInt32LE(compression, 16);
    header.writeUInt32LE(data.length, 20);
    filler.copy(header, 24, 0, 4);
    filler.copy(header, 28, 0, 4);
    header.writeUInt32LE(colors, 32);
    moreHeader.copy(header, 40);
  }
  return Buffer.concat([file, header, palette, gap, data, end]);
}

/** Pads each row to a multiple of four bytes and puts the rows together. */
function joinRows(rows: readonly Buffer[], filler: Buffer, isTopDown: boolean): Buffer {
  const padded = rows.map((row) => Buffer.concat([row, filler.subarray(0, -row.length & 3)]));
  return Buffer.concat(isTopDown ? padded : padded.toReversed());
}

/** Creates masks or colors of 32 bits each. */
export function bmpColors(...values: readonly number[]): Buffer {
  const colors = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) colors.writeUInt32LE(value, i * 4);
  return colors;
}
