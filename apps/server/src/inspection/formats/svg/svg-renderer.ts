import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readBuiltFile } from '../../../single-binary/built-files.ts';
import { limitMemory } from './limit-memory.ts';

/** What a thread needs to render SVG. Threads share the compiled code. */
export interface SvgRenderer {
  readonly module: WebAssembly.Module;
  /** Font files for texts, because the fonts of the system are not used. */
  readonly fonts: readonly Uint8Array[];
}

const SCRIPTS = [
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
];
const WEIGHTS = [400, 700];

/** The name of the library in the build output. */
const LIBRARY = 'svg-renderer/resvg.wasm';

/** The names of the fonts in the build output, with the paths in their package. */
const FONTS = new Map(
  WEIGHTS.flatMap((weight) =>
    SCRIPTS.map((script) => {
      const file = `inter-${script}-${weight}-normal.woff2`;
      return [`svg-renderer/${file}`, `@fontsource/inter/files/${file}`];
    }),
  ),
);

/** The files of the renderer: their names in the build output, and where packages have them. */
export const RENDERER_FILES: ReadonlyMap<string, string> = new Map([
  [LIBRARY, '@resvg/resvg-wasm/index_bg.wasm'],
  ...FONTS,
]);

/** Maximum memory of the renderer in bytes. The largest picture takes 17 MB, and so does each layer. */
const MEMORY_MAX = 48 * 1024 * 1024;

let renderer: Promise<SvgRenderer> | undefined;

/** Loads the renderer once. */
export function loadSvgRenderer(): Promise<SvgRenderer> {
  renderer ??= load().catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  return renderer;
}

async function load(): Promise<SvgRenderer> {
  const library = limitMemory(readRendererFile(LIBRARY), MEMORY_MAX);
  return {
    module: await WebAssembly.compile(library),
    fonts: [...FONTS.keys()].map((name) => new Uint8Array(readRendererFile(name))),
  };
}

function readRendererFile(name: string): Buffer {
  const built = readBuiltFile(name, import.meta.dirname);
  return built ?? readFileSync(sourceOf(name));
}

/** Returns the path of a file of the renderer in its package. */
export function sourceOf(name: string): string {
  return createRequire(import.meta.url).resolve(RENDERER_FILES.get(name) ?? name);
}
