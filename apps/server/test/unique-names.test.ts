import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** Folders without sources: installed packages, builds, test results and the data of a server. */
const IGNORED = new Set(['node_modules', 'dist', 'out', 'data', 'test-results']);

/** Module names that may repeat: package entries, programs, configuration and each language's file. */
const CONVENTIONAL = /^(?:index|main|.*\.config)$|^packages\/texts\/[a-z]+\/language$/;

const DECLARATION =
  /^export (?:declare |default |abstract |async )*(?:function\*?|class|const|let|enum|interface|type) +(\w+)/gm;
/** `export { a, b as c };` without `from`, as a re-export is the same thing under the same name. */
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\};?$/gm;

/** The server in memory imitates the real one, and has the same names for the same things. */
const IMITATION = 'packages/memory-server/';

/** All modules of the repository by their path. */
let modules: Map<string, string>;
beforeAll(() => {
  const paths = globSync('{apps,packages}/**/*.{ts,tsx,mts,js,mjs}', {
    cwd: ROOT,
    exclude: (path) => IGNORED.has(basename(path)),
  });
  modules = new Map(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(ROOT, path), 'utf8')]),
  );
});

function exportsOf(source: string): string[] {
  const declared = [...source.matchAll(DECLARATION)].map(([, name = '']) => name);
  const listed = [...source.matchAll(EXPORT_LIST)].flatMap(([, list = '']) =>
    list.split(',').map((item) => item.trim().split(' ').at(-1) ?? ''),
  );
  // A schema and its type have one name.
  return [...new Set([...declared, ...listed])].filter((name) => name !== '');
}

/** Returns the base name without the extension, in lower case, as some file systems ignore case. */
function moduleName(path: string): string {
  return basename(path.replace(/(?:\.d)?\.\w+$/, '')).toLowerCase();
}

function isConventional(path: string): boolean {
  return CONVENTIONAL.test(moduleName(path)) || CONVENTIONAL.test(path.replace(/\.ts$/, ''));
}

/** Returns a description of each name that several files have. */
function findClashes(names: Iterable<readonly [name: string, path: string]>): string[] {
  const users = Map.groupBy(names, ([name]) => name);
  return [...users]
    .filter(([, uses]) => uses.length > 1)
    .map(([name, uses]) => `${name}: ${uses.map(([, path]) => path).join(', ')}`);
}

test('two modules never export the same name', () => {
  expect(modules.size).toBeGreaterThan(1_000);
  const names = [...modules]
    .filter(([path]) => !path.startsWith(IMITATION))
    .flatMap(([path, source]) => exportsOf(source).map((name) => [name, path] as const));
  expect(findClashes(names), 'rename the export that is less known by this name').toEqual([]);
});

test('two modules never have the same file name', () => {
  const paths = [...modules.keys()].filter((path) => !isConventional(path));
  const names = paths.map((path) => [moduleName(path), path] as const);
  expect(findClashes(names), 'add the kind or the purpose to a file name').toEqual([]);
});

test('names are found in declarations and export lists, but not in re-exports', () => {
  const lines = [
    'export const Volume = 1;',
    'export type Volume = 2;',
    'export async function* stream() {}',
    'export abstract class Store {}',
    'export { low as high, other };',
    "export { again } from './again.ts';",
  ];
  expect(exportsOf(lines.join('\n'))).toEqual(['Volume', 'stream', 'Store', 'high', 'other']);
  expect(
    findClashes([
      ['a', 'x.ts'],
      ['b', 'x.ts'],
      ['a', 'y.ts'],
    ]),
  ).toEqual(['a: x.ts, y.ts']);
});
