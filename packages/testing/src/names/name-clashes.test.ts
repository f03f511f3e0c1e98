import { expect, test } from 'vitest';
import { findExportClashes, findFileClashes } from './name-clashes.ts';

test('finds names that several modules export, in declarations and export lists', () => {
  const lines = [
    'export const Volume = 1;',
    'export type Volume = 2;',
    'export async function* stream() {}',
    'export abstract class Store {}',
    'export { low as high, other };',
  ].join('\n');
  const modules = new Map([
    ['a.ts', lines],
    ['b.ts', lines],
  ]);
  expect(findExportClashes(modules)).toEqual(
    ['Volume', 'stream', 'Store', 'high', 'other'].map((name) => `${name}: a.ts, b.ts`),
  );
});

test('ignores exports in re-exports and in the server in memory', () => {
  const modules = new Map([
    ['apps/server/src/search.ts', 'export function search() {}'],
    ['packages/memory-server/src/search.ts', 'export function search() {}'],
    ['packages/client/src/index.ts', "export { search } from './search.ts';"],
  ]);
  expect(findExportClashes(modules)).toEqual([]);
});

test('finds file names that several modules have, with any case and extension', () => {
  const paths = ['a/Button.tsx', 'b/button.ts', 'a/other.test.ts', 'b/other.ts'];
  expect(findFileClashes(paths)).toEqual(['button: a/Button.tsx, b/button.ts']);
});

test('ignores package entries, programs, configuration and the files of languages', () => {
  const names = ['index.ts', 'main.ts', 'vitest.config.ts'];
  const paths = names.flatMap((name) => [`apps/server/${name}`, `apps/web/${name}`]);
  const languages = ['packages/texts/en/language.ts', 'packages/texts/de/language.ts'];
  expect(findFileClashes([...paths, ...languages])).toEqual([]);
});
