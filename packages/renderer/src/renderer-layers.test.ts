import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['./*/**/*.ts', './*/**/*.tsx', '!./**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/**
 * The folders that each folder may import, lowest layer first. `navigation` contains what the screens use: the paths
 * and the history. `routes` contains what uses the screens: the router and their loaders. Features do not import each
 * other.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  logging: [],
  host: [],
  sounds: ['assets', 'logging'],
  browser: ['logging', 'sounds'],
  app: ['browser', 'host', 'logging'],
  format: ['app', 'assets', 'browser', 'host', 'i18n'],
  i18n: ['browser'],
  failures: ['app', 'browser', 'i18n'],
  ui: ['host'],
  navigation: ['ui'],
  client: ['app', 'browser', 'failures', 'format', 'host', 'logging', 'navigation', 'sounds', 'ui'],
  shared: [
    'app',
    'assets',
    'browser',
    'client',
    'failures',
    'format',
    'host',
    'i18n',
    'navigation',
    'ui',
  ],
  features: [
    'app',
    'browser',
    'client',
    'failures',
    'format',
    'host',
    'i18n',
    'logging',
    'navigation',
    'shared',
    'ui',
  ],
  routes: ['app', 'features', 'host', 'i18n', 'navigation', 'shared', 'ui'],
};

/** The frame around the screens may import features, as it arranges them on the page. */
const FRAME = './features/frame/';

/** Returns the folder or feature of a file. */
function moduleOf(path: string): string {
  const [, top = '', feature = ''] = path.split('/');
  return top === 'features' ? `${top}/${feature}` : top;
}

/** Returns the relative imports of a file as paths from this folder. */
function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport)[\s(]+'(\.[^']+)'/g)].map(
    ([, module = '']) => `.${new URL(module, `file://${path.slice(1)}`).pathname}`,
  );
}

function isAllowed(from: string, to: string): boolean {
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)];
  if (fromModule === toModule) return true;
  const [layer = '', target = ''] = [fromModule.split('/')[0], toModule.split('/')[0]];
  if (layer === 'features' && target === 'features') return from.startsWith(FRAME);
  return MAY_IMPORT[layer]?.includes(target) === true;
}

test('folders import only the allowed folders, and features do not import each other', () => {
  const violations = Object.entries(sources).flatMap(([path, source]) =>
    importsOf(path, source)
      .filter((module) => !isAllowed(path, module))
      .map((module) => `${path} imports ${module}`),
  );
  expect(violations).toEqual([]);
});

test('no module creates a store at its top level', () => {
  const violations = Object.entries(sources)
    .filter(([, source]) => /^(?:export )?const [^\n=]*=\s*createStore\b/m.test(source))
    .map(([path]) => path);
  expect(violations).toEqual([]);
});
