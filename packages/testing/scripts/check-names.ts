import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { findExportClashes, findFileClashes } from '../src/names/name-clashes.ts';

// Part of `npm run check`: checks that two modules never have the same file name or export the same name.

const root = join(import.meta.dirname, '../../..');
/** Folders without sources: installed packages, builds, test results and the data of a server. */
const ignored = new Set(['node_modules', 'dist', 'out', 'data', 'test-results']);

const paths = globSync('{apps,packages}/**/*.{ts,tsx,mts,js,mjs}', {
  cwd: root,
  exclude: (path) => ignored.has(basename(path)),
}).map((path) => path.replaceAll(sep, '/'));
const modules = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

if (modules.size < 1_000) throw new Error(`there are only ${modules.size} modules in ${root}`);
for (const [clashes, advice] of [
  [findExportClashes(modules), 'Rename the export that is less known by this name.'],
  [findFileClashes(paths), 'Add the kind or the purpose to a file name.'],
] as const) {
  if (clashes.length === 0) continue;
  process.stderr.write(`${clashes.join('\n')}\n${advice}\n`);
  process.exitCode = 1;
}
