import { MARK, Marks } from './marks.ts';
import { markedBmp } from './marked-bmp.ts';
import { markedGif, markedJpeg, markedPng, markedWebp } from './marked-raster.ts';

const MAKERS = {
  jpg: markedJpeg,
  png: markedPng,
  webp: markedWebp,
  gif: markedGif,
  bmp: markedBmp,
};

/** A format of marked images, by file extension. */
export type MarkedFormat = keyof typeof MAKERS;

export const MARKED_FORMATS = Object.keys(MAKERS) as MarkedFormat[];

/**
 * Creates a valid random image with marks wherever metadata is possible. The same seed gives the
 * same image.
 */
export function markedPicture(format: MarkedFormat, seed: number): Buffer {
  return MAKERS[format](new Marks(seed));
}

const WIDE = Buffer.from(MARK, 'utf16le').swap16();

/** Returns whether a file contains a mark, in bytes or in UTF-16. */
export function hasMark(file: Buffer): boolean {
  return file.includes(MARK) || file.includes('MARK') || file.includes(WIDE);
}
