import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** The paths of the chunks with a language's texts. Only the largest chunk counts. */
const TEXTS = /[\\/]texts[\\/]\w+[\\/]app\.json$/;

/**
 * Fails the build if the JavaScript of the first screen (the entry with everything it imports
 * statically, and the texts of one language) is larger than `limit` bytes compressed.
 */
export function firstLoadBudget(limit: number): Plugin {
  return {
    name: 'parley:first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const size = firstLoadSize(bundle);
      const summary = `first load: ${(size / 1024).toFixed(1)} KiB of ${limit / 1024} KiB compressed JavaScript`;
      if (size > limit) this.error(`${summary}: make a screen or a library lazy`);
      this.info(summary);
    },
  };
}

function firstLoadSize(bundle: Rolldown.OutputBundle): number {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk);
  const texts = chunks
    .filter(({ facadeModuleId }) => TEXTS.test(facadeModuleId ?? ''))
    .map(compressed);
  return [...needed].reduce((sum, chunk) => sum + compressed(chunk), Math.max(0, ...texts));
}

function compressed(chunk: Rolldown.OutputChunk): number {
  return gzipSync(chunk.code, { level: 9 }).length;
}
