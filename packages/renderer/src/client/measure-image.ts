import { readImageCost } from './read-image-cost.ts';

/** Width and height in pixels, as displayed. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How much of an SVG is searched for its first tag, in bytes. */
const SVG_HEAD = 64 * 1024;
/** The longer side of the picture that the server makes of an SVG, in pixels. */
const SVG_SIDE = 1_024;

/**
 * Resolves to the size of an image from what its file states, without decoding it, so that its message has its final
 * size at once. Resolves to undefined if the file does not tell it.
 */
export async function measureImage(file: Blob): Promise<ImageSize | undefined> {
  try {
    const size =
      file.type === 'image/svg+xml'
        ? readSvgSize(await file.slice(0, SVG_HEAD).text())
        : await readImageCost(file);
    return size && sizeOf(size);
  } catch {
    // Sending it tells why it cannot be read.
    return undefined;
  }
}

/** Returns the size that a file states; undefined if it cannot be that of an image. */
export function sizeOf({ width, height }: ImageSize): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Returns the size of the picture that the server makes of an SVG: large, and with its proportions. */
function readSvgSize(text: string): ImageSize | undefined {
  const [tag] = /<(?:[\w-]+:)?svg\s[^>]*>/.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const valueOf = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1];
  const [, , boxWidth = 0, boxHeight = 0] = (valueOf('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const sides = ['width', 'height'].map(
    (name) => /^\s*([\d.]+)(?:px)?\s*$/.exec(valueOf(name) ?? '')?.[1],
  );
  // A single side follows from the proportions of the view box, like none.
  const [width, height] = sides.includes(undefined) ? [boxWidth, boxHeight] : sides.map(Number);
  if (!width || !height) return undefined;
  const scale = SVG_SIDE / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
