import { loadTexts } from '@parley/texts';
import { expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

/** Returns the dotted key of every text. */
function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? prefix + key : keysOf(value, `${prefix}${key}.`),
  );
}

const modules = import.meta.glob<string>(['../**/*.ts', '../**/*.tsx', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The code of each module by its path below `src`. */
const sources = new Map(
  Object.entries(modules).map(([path, source]) => [resolve('/i18n/', path), source]),
);

const SCREENS = '/routes/screens.ts';

function resolve(base: string, path: string): string {
  return new URL(path, `file://${base}`).pathname;
}

/** Adds the paths of a module and of the modules it loads, except for the screens, to `found`. */
function collectModules(path: string, found = new Set<string>()): Set<string> {
  const source = sources.get(path);
  if (source === undefined || path === SCREENS || found.has(path)) return found;
  found.add(path);
  const imports = /^(?:import|export) (?!type\b)[^;]* from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
  for (const [, loaded, lazy = ''] of source.matchAll(imports)) {
    collectModules(resolve(path, loaded ?? lazy), found);
  }
  return found;
}

/** Returns whether the code contains a text's key or builds it from its group, as in t(`login.${key}`). */
function isUsed(key: string, code: string): boolean {
  const name = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
  const group = name.slice(0, name.lastIndexOf('.') + 1);
  return [`'${name}'`, `"${name}"`, `\`${group}\${`].some((use) => code.includes(use));
}

test.each([
  'app',
  'causes',
  'data',
  'dialogs',
  'information',
  'invitations',
  'list',
  'keyboard',
  'notifications',
  'share',
  'screens',
  'search',
  'selection',
  'settings',
] as const)('every text of %s is used', async (file) => {
  const code = [...sources.values()].join('\n');
  const keys = keysOf(await loadTexts('en', file));
  expect(keys.filter((key) => !isUsed(key, code))).toEqual([]);
});

test.each([
  'data',
  'dialogs',
  'information',
  'invitations',
  'list',
  'keyboard',
  'notifications',
  'share',
  'screens',
  'search',
  'selection',
  'settings',
] as const)('the first load uses no texts of %s', async (file) => {
  const paths = [...collectModules('/mount.tsx')];
  expect(paths).toContain('/features/login/LoginPage.tsx');
  const code = paths.map((path) => sources.get(path)).join('\n');
  const keys = keysOf(await loadTexts('en', file));
  expect(keys.filter((key) => isUsed(key, code))).toEqual([]);
});
