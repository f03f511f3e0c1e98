import {
  MalformedFileError,
  readAll,
  TooComplexMediaError,
  type ByteSource,
} from '../byte-source.ts';
import { UNRECOGNIZED } from '../detect-formats.ts';
import type { Contents, MediaFormat } from '../media-format.ts';
import { PNG_COLORS, writePng } from '../png-writer.ts';
import { canRender, renderSvg, type Raster } from './render-svg.ts';

/** Maximum size of an SVG in bytes. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Bytes of an image that are passed on at once. */
const BAND_BYTES = 256 * 1024;

/** Thrown for an SVG in a thread that cannot render. */
export class RendererNeededError extends Error {
  override readonly name = 'RendererNeededError';
}

/**
 * SVG. It is stored as PNG: what others receive then costs as much to draw as any picture, and contains
 * nothing but pixels.
 */
export const svg: MediaFormat = {
  kind: 'image',
  mime: 'image/png',
  extension: 'png',
  detectedAs: ['application/xml', 'image/svg+xml', UNRECOGNIZED],
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const head = Buffer.from(await source.bytesUpTo(0, 512)).toString('utf8');
  if (!/^(?:\uFEFF)?\s*<[?!\w]/.test(head)) throw new MalformedFileError('no tag');
  if (source.size > BYTES_MAX) throw new TooComplexMediaError('too large');
  const text = decode(await readAll(source, 0, source.size));
  if (!canRender()) throw new RendererNeededError();

  const { width, height, pixels } = render(text);
  const isOpaque = hasNoAlpha(pixels);
  const colorType = isOpaque ? PNG_COLORS.rgb : PNG_COLORS.rgba;
  const lines = toLines({ width, height, pixels }, isOpaque ? 3 : 4);
  const pieces = await writePng({ width, height, bitDepth: 8, colorType }, [], lines);
  return { width, height, pieces };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedFileError('not UTF-8');
  }
}

function render(text: string): Raster {
  try {
    return renderSvg(text);
  } catch (error) {
    // The messages of the library are in English and always the same.
    const message = error instanceof Error ? error.message : String(error);
    const isExpensive =
      error instanceof WebAssembly.RuntimeError ||
      error instanceof RangeError ||
      /limit/.test(message);
    throw isExpensive ? new TooComplexMediaError(message) : new MalformedFileError(message);
  }
}

function hasNoAlpha(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}

/** Yields the lines of a PNG. */
async function* toLines(
  { width, height, pixels }: Raster,
  channels: 3 | 4,
): AsyncGenerator<Buffer> {
  const lineLength = 1 + width * channels;
  const linesPerBand = Math.max(1, Math.floor(BAND_BYTES / lineLength));
  for (let y = 0; y < height; y += linesPerBand) {
    const count = Math.min(linesPerBand, height - y);
    const lines = Buffer.alloc(count * lineLength);
    for (let i = 0; i < count; i += 1) {
      let to = i * lineLength + 1;
      const end = (y + i + 1) * width * 4;
      for (let at = (y + i) * width * 4; at < end; at += 4) {
        for (let channel = 0; channel < channels; channel += 1) {
          lines[to + channel] = pixels[at + channel] ?? 0;
        }
        to += channels;
      }
    }
    yield lines;
  }
}
