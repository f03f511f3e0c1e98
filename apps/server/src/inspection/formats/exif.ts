/**
 * The rotation and mirroring of a stored image for display: 1 is unchanged, 2 to 8 are as in Exif
 * 2.32, tag 0x0112.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/** Returns the orientation in an Exif block (a TIFF structure), or 1 if there is none. */
export function readOrientation(tiff: Buffer): Orientation {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  const directory = u32(4);
  if (u16(2) !== 42 || directory + 2 > tiff.length) return 1;
  const entries = u16(directory);
  for (let i = 0; i < entries; i += 1) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > tiff.length) break;
    if (u16(entry) === ORIENTATION_TAG && u16(entry + 2) === SHORT) {
      const value = u16(entry + 8);
      return isOrientation(value) ? value : 1;
    }
  }
  return 1;
}

/** Creates an Exif block with an orientation and nothing else. */
export function createOrientationExif(orientation: Orientation): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM', 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION_TAG, 10);
  tiff.writeUInt16BE(SHORT, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/** Returns the size of an image as displayed. */
export function orientedSize(
  width: number,
  height: number,
  orientation: Orientation,
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}
