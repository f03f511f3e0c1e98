import { createMemorySource, MalformedFileError, TooComplexMediaError } from '../byte-source.ts';
import { detectFormats, HEAD_LENGTH } from '../detect-formats.ts';
import { gif } from '../gif.ts';
import { jpeg } from '../jpeg.ts';
import { png } from '../png.ts';
import { webp } from '../webp.ts';
import type { SvgElement } from './parse-svg.ts';

const FORMATS = [jpeg, png, gif, webp];

const DATA_URL = /^data:image\/[a-z+.-]{1,20}(?:;charset=[\w-]{1,20})?;base64,/i;

/** Number of pixels of each embedded image, by its element. */
export type EmbeddedPixels = ReadonlyMap<SvgElement, number>;

/**
 * Cleans the images that an SVG embeds, in place. Removes references to external images, which
 * browsers do not load in an SVG image either.
 * @throws {TooComplexMediaError} for an embedded animation, SVG or unsupported format.
 */
export async function cleanEmbeddedImages(root: SvgElement): Promise<EmbeddedPixels> {
  const pixels = new Map<SvgElement, number>();
  const visit = async (element: SvgElement): Promise<void> => {
    const href = element.name === 'image' ? element.attributes.get('href') : undefined;
    if (href !== undefined) {
      if (/^data:/i.test(href)) pixels.set(element, await cleanImage(element, href));
      else element.attributes.delete('href');
    }
    for (const child of element.children) if (typeof child !== 'string') await visit(child);
  };
  await visit(root);
  return pixels;
}

async function cleanImage(element: SvgElement, href: string): Promise<number> {
  const prefix = DATA_URL.exec(href)?.[0];
  if (prefix === undefined) throw new TooComplexMediaError('an unsupported embedded image');
  const file = Buffer.from(href.slice(prefix.length), 'base64');
  const [format] = await detectFormats(FORMATS, file.subarray(0, HEAD_LENGTH));
  if (format === undefined) throw new TooComplexMediaError('an unsupported embedded image');
  const { width = 0, height = 0, frames = 0, pieces } = await format.read(createMemorySource(file));
  if (width * height === 0) throw new MalformedFileError('an embedded image without a size');
  if (frames > 1) throw new TooComplexMediaError('an embedded animation');
  element.attributes.set(
    'href',
    `data:${format.mime};base64,${pieces.toBuffer(file).toString('base64')}`,
  );
  return width * height;
}
