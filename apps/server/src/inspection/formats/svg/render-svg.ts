import { initWasm, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm';
import type { SvgRenderer } from './svg-renderer.ts';

/** A rendered image. */
export interface Raster {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row from the top. Colors are not premultiplied. */
  readonly pixels: Uint8Array;
}

/** The length of the longer side of the image that is rendered first, in pixels. */
const SMALL_SIDE = 512;
const SIDE_MIN = 1_024;
const SIDE_MAX = 2_048;

/** Milliseconds of computing by which rendering should end, so that encoding stays below the limit. */
const CPU_GOAL = 350;

/** Uses text, shapes and a gradient, to compile most of what others need. */
const TYPICAL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90"><style>.a{fill:url(#a)}</style><linearGradient id="a"><stop stop-color="#f00"/></linearGradient>' +
  '<text y="30" font-family="Arial">Text <tspan font-weight="bold">bold</tspan></text><path class="a" stroke="#00f" opacity=".5" d="M0 0C9 9 30 40 60 9z"/></svg>';

let font: ResvgRenderOptions['font'];
let isSpent = false;

/** Returns whether this thread can render. */
export function canRender(): boolean {
  return font !== undefined;
}

/** Returns whether rendering took so much memory that this thread should render nothing more. */
export function isRendererSpent(): boolean {
  return isSpent;
}

/** Prepares this thread for rendering. */
export async function startRenderer({ module, fonts }: SvgRenderer): Promise<void> {
  await initWasm(module);
  const names = { defaultFontFamily: 'Inter', sansSerifFamily: 'Inter', serifFamily: 'Inter' };
  const others = { monospaceFamily: 'Inter', cursiveFamily: 'Inter', fantasyFamily: 'Inter' };
  font = { fontBuffers: [...fonts], ...names, ...others };
  new Renderer(TYPICAL).render(SMALL_SIDE);
}

/**
 * Renders an SVG small, then larger as far as its cost allows.
 * @throws {WebAssembly.RuntimeError} if it takes too much memory. Afterwards this thread cannot render.
 * @throws {Error} or a string if it is not a valid SVG.
 */
export function renderSvg(text: string): Raster {
  const renderer = new Renderer(text);
  let raster = renderer.render(SMALL_SIDE);
  const wanted = Math.min(SIDE_MAX, Math.max(SIDE_MIN, Math.ceil(renderer.longerSide * 2)));
  for (const side of new Set([SIDE_MIN, wanted])) {
    if (renderer.predict(side) > CPU_GOAL) break;
    try {
      raster = renderer.render(side);
    } catch {
      // It takes too much memory, which is not released.
      isSpent = true;
      break;
    }
  }
  return raster;
}

class Renderer {
  readonly #text: string;
  readonly #start = cpuTime();
  readonly #isPortrait: boolean;
  readonly longerSide: number;
  /** Milliseconds of computing that parsing takes. */
  readonly #parsing: number;
  /** Milliseconds of computing that rendering a pixel took. */
  #pixelCost = 0;

  constructor(text: string) {
    this.#text = withoutLoneSide(text);
    const image = new Resvg(this.#text, { font: font ?? {} });
    const { width, height } = image;
    image.free();
    this.#isPortrait = height > width;
    this.longerSide = Math.max(width, height);
    this.#parsing = cpuTime() - this.#start;
  }

  /** Renders the image with a longer side of this length. */
  render(side: number): Raster {
    const fitTo = { mode: this.#isPortrait ? 'height' : 'width', value: side } as const;
    const image = new Resvg(this.#text, { font: font ?? {}, fitTo });
    const before = cpuTime();
    const rendered = image.render();
    const { width, height } = rendered;
    const pixels = rendered.pixels;
    rendered.free();
    image.free();
    removePremultiplication(pixels);
    this.#pixelCost = (cpuTime() - before) / (width * height);
    return { width, height, pixels };
  }

  /** Returns by which time an image of this size would be rendered, in milliseconds of computing. */
  predict(side: number): number {
    const elapsed = cpuTime() - this.#start;
    return elapsed + this.#parsing + this.#pixelCost * side * side;
  }
}

/** Returns the milliseconds that this thread has computed. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Divides colors by alpha. */
function removePremultiplication(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let i = at; i < at + 3; i += 1) {
      pixels[i] = Math.min(255, Math.round(((pixels[i] ?? 0) * 255) / alpha));
    }
  }
}

/**
 * Removes a width without a height, or the reverse, from an SVG with a view box. Browsers then keep the
 * aspect ratio of the box, but the library does not.
 */
function withoutLoneSide(text: string): string {
  const [tag] = /<(?:[\w-]+:)?svg\s[^>]*>/.exec(text) ?? [];
  if (tag === undefined || !/\sviewBox\s*=/.test(tag)) return text;
  const sides = tag.match(/\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g) ?? [];
  const [lone] = sides;
  if (lone === undefined || sides.length > 1) return text;
  return text.replace(tag, () => tag.replace(lone, ''));
}
