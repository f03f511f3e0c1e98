import type { TextFile } from './language-definition.ts';

const UNUSED = '\0unused-texts';

/**
 * Plugin for Vite and Rolldown: keeps the texts of some files and leaves the others out. The
 * languages can load every file, so a bundler would write all of them.
 */
export function bundleTexts(...kept: TextFile[]) {
  return {
    name: 'parley:bundle-texts',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined): string | undefined {
      if (importer === undefined || !/[\\/]texts[\\/]\w+[\\/]language\.ts$/.test(importer))
        return undefined;
      const file = /^\.\/(\w+)\.json$/.exec(source)?.[1];
      return file === undefined || kept.some((name) => name === file) ? undefined : UNUSED;
    },
    load: (id: string): string | undefined => (id === UNUSED ? 'export default {};' : undefined),
  };
}
