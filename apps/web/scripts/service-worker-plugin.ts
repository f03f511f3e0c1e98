import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadEveryLanguage } from '@parley/texts';
import { build, type Plugin, type ResolvedConfig } from 'vite';

const FILE_NAME = 'service-worker.js';
const SOURCE = join(import.meta.dirname, '../src/service-worker/service-worker.ts');

/**
 * Files that the application does not need to start or to read and write messages: the emoji picker and
 * its search, fonts for rare letters, code that only the desktop app loads, and what only the installation needs.
 */
const OPTIONAL =
  /^\/(?:assets\/(?:EmojiPanel|EmojiCompletion|emoji-data|emojis-|inter-latin-ext|desktop|bridge-refused)|badge-|favicon-32|icon-(?:180|512|maskable)|manifest\.\w+\.|screenshots\/)/;

/** Optional files that are kept once they were used: the emoji picker and its search. */
const KEPT_ONCE_USED = /^\/assets\/(?:EmojiPanel|EmojiCompletion|emoji-data|emojis-)/;

const PAGE = '/index.html';

/** Builds the service worker with the list of the built files. */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'parley:service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    async closeBundle() {
      const outDir = resolve(config.root, config.build.outDir);
      const files = readFiles(outDir);
      const paths = [...files.keys()];
      const precachedPaths = paths.filter((path) => !OPTIONAL.test(path));
      const precached = precachedPaths.map((path) => ({
        path,
        // The server may change the page.
        ...(path !== PAGE && { integrity: integrityOf(files.get(path)) }),
      }));
      const optional = paths
        .filter((path) => KEPT_ONCE_USED.test(path))
        .map((path) => ({ path, integrity: integrityOf(files.get(path)) }));
      const others = paths.filter((path) => OPTIONAL.test(path) && !path.startsWith('/assets/'));
      await build({
        configFile: false,
        root: config.root,
        logLevel: 'warn',
        define: {
          BUILD: JSON.stringify({ version: versionOf(files), precached, optional, others }),
          TEXTS: JSON.stringify(await loadEveryLanguage('worker')),
        },
        build: {
          target: config.build.target,
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          rolldownOptions: {
            input: SOURCE,
            output: { format: 'iife', entryFileNames: FILE_NAME },
          },
        },
      });
      const size = precachedPaths.reduce((sum, path) => sum + compressedSize(files.get(path)), 0);
      this.info(
        `kept offline: ${precachedPaths.length} files, ${(size / 1024).toFixed(0)} KiB compressed`,
      );
    },
  };
}

/** Returns the contents of a folder's files by their URL path. */
function readFiles(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== FILE_NAME)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(
    names.map((name) => [`/${relative(folder, name).split(sep).join('/')}`, readFileSync(name)]),
  );
}

function versionOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [path, content] of files) hash.update(`${path}\n${content.length}\n`).update(content);
  return hash.digest('hex').slice(0, 16);
}

/** Returns the value for Subresource Integrity. */
function integrityOf(content: Buffer = Buffer.alloc(0)): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

function compressedSize(content: Buffer | undefined): number {
  return content === undefined ? 0 : gzipSync(content).length;
}
