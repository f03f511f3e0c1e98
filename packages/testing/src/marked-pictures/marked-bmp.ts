import { bmpColors, encodeBmp, type BmpParts } from '../encode-bmp.ts';
import { MARK, markedProfile, type Marks } from './marks.ts';

const COMPRESSION = { runs8: 1, bitFields: 3 } as const;

const SRGB = 0x73524742;
const EMBEDDED_PROFILE = 0x4d424544;

/** Fields of a header after its first 40 bytes. */
const FIELD = { colorSpace: 16, endpoints: 20, intent: 68, profile: 72, reserved: 80 } as const;

/** Creates a BMP of any depth and version with marks in unused fields, in gaps and after its end. */
export function markedBmp(marks: Marks): Buffer {
  const [width, height] = [1 + marks.integer(30), 1 + marks.integer(30)];
  const filler = Buffer.from(MARK, 'latin1');
  const common = { width, height, filler, gap: marks.bytes(), end: marks.bytes() };
  const headerSize = [40, 108, 124][marks.integer(3)] ?? 40;
  const version = { headerSize, isTopDown: marks.integer(2) === 0 };
  const profile = markedProfile(marks);
  const end = Buffer.concat([profile, marks.bytes()]);

  const create = (masks: readonly number[], parts: Omit<BmpParts, keyof typeof common>): Buffer => {
    const moreHeader = Buffer.alloc(84);
    bmpColors(...masks).copy(moreHeader);
    moreHeader.writeUInt32LE(SRGB, FIELD.colorSpace);
    moreHeader.write(MARK.repeat(8), FIELD.endpoints, 'latin1');
    moreHeader.writeUInt32LE(4, FIELD.intent);
    moreHeader.write('MARK', FIELD.reserved, 'latin1');
    const file = encodeBmp({ ...common, ...version, moreHeader, ...parts });
    if (headerSize !== 124 || marks.integer(2) === 0) return file;
    moreHeader.writeUInt32LE(EMBEDDED_PROFILE, FIELD.colorSpace);
    moreHeader.writeUInt32LE(file.length - common.end.length - 14, FIELD.profile);
    moreHeader.writeUInt32LE(profile.length, FIELD.profile + 4);
    return encodeBmp({ ...common, ...version, moreHeader, ...parts, end });
  };
  const rows = (bitsPerPixel: number) =>
    Array.from({ length: height }, () => randomBytes(marks, Math.ceil((width * bitsPerPixel) / 8)));
  const palette = (bitsPerPixel: number) =>
    bmpColors(...Array.from({ length: 2 ** bitsPerPixel }, () => marks.integer(2 ** 32)));

  const indexed = (bitsPerPixel: number) => () =>
    create([], { bitsPerPixel, rows: rows(bitsPerPixel), palette: palette(bitsPerPixel) });
  const colored = (bitsPerPixel: number) => () =>
    create([], { bitsPerPixel, rows: rows(bitsPerPixel) });
  const masked = (bitsPerPixel: number, masks: readonly number[]) => () =>
    create(masks, {
      bitsPerPixel,
      rows: rows(bitsPerPixel),
      compression: COMPRESSION.bitFields,
      palette: headerSize === 40 ? bmpColors(...masks.slice(0, 3)) : Buffer.alloc(0),
    });
  const runs = () =>
    create([], {
      bitsPerPixel: 8,
      compression: COMPRESSION.runs8,
      isTopDown: false,
      palette: palette(8),
      data: Buffer.concat([...rows(8).map(encodeRow), Buffer.from([0, 1])]),
    });
  const kinds = [
    indexed(1),
    indexed(4),
    indexed(8),
    runs,
    colored(16),
    colored(24),
    colored(32),
    masked(16, [0xf800, 0x07e0, 0x001f, 0]),
    masked(32, [0xff, 0xff00, 0xff0000, 0xff000000]),
  ];
  return (kinds[marks.integer(kinds.length)] ?? runs)();
}

function randomBytes(marks: Marks, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => marks.integer(256)));
}

/** Encodes a row as runs of one pixel. */
function encodeRow(row: Buffer): Buffer {
  return Buffer.from([...Array.from(row, (pixel) => [1, pixel]).flat(), 0, 0]);
}
