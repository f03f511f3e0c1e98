import type { TextFile } from './language-definition.ts';

const UNUSED = '\0unused-texts';
/** A language's file, which imports its texts. */
const LANGUAGE_MODULE = /[\\/]texts[\\/]\w+[\\/]language\.ts$/;

/**
 * Creates a plugin for Vite and Rolldown that bundles only some text files. Each language can load
 * every file, so bundlers would otherwise include all of them.
 */
export function bundleTexts(...kept: TextFile[]) {
  return {
    name: 'parley:bundle-texts',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined): string | undefined {
      if (importer === undefined || !LANGUAGE_MODULE.test(importer)) return undefined;
      const file = /^\.\/(\w+)\.json$/.exec(source)?.[1];
      return file === undefined || kept.some((name) => name === file) ? undefined : UNUSED;
    },
    load: (id: string): string | undefined => (id === UNUSED ? 'export default {};' : undefined),
    // The development server serves texts as JavaScript, which browsers reject for an import of JSON.
    transform: (code: string, id: string) =>
      LANGUAGE_MODULE.test(id)
        ? // No line moves, so the source map of before stays right.
          { code: code.replaceAll(", { with: { type: 'json' } }", ''), map: null }
        : undefined,
  };
}
