import { MARK, Marks } from './marks.ts';
import { markedGif, markedJpeg, markedPng, markedWebp } from './raster.ts';
import { markedSvg } from './svg.ts';

const MAKERS = {
  jpg: markedJpeg,
  png: markedPng,
  webp: markedWebp,
  gif: markedGif,
  svg: markedSvg,
};

/** A format of which marked pictures can be made, by its ending. */
export type MarkedFormat = keyof typeof MAKERS;

export const MARKED_FORMATS = Object.keys(MAKERS) as MarkedFormat[];

/** A valid random picture, the same for the same seed, with marks wherever metadata can be. */
export function markedPicture(format: MarkedFormat, seed: number): Buffer {
  return MAKERS[format](new Marks(seed));
}

const WIDE = Buffer.from(MARK, 'utf16le').swap16();

/** Whether a mark can be read in a file, in bytes or in UTF-16. */
export function hasMark(file: Buffer): boolean {
  return file.includes(MARK) || file.includes('MARK') || file.includes(WIDE);
}
