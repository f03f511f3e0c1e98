import { Platform } from 'electron-builder';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAsarPackageJson, listAsarPaths, packageApp, ROOT } from './support/package-app.ts';

const DESKTOP = join(ROOT, 'apps/desktop');

let folder: string;
let asar: string;
let packed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'));
  const { output } = await packageApp(folder, 'linux', Platform.LINUX.createTarget('dir'));
  asar = join(output, 'linux-unpacked/resources/app.asar');
  packed = listAsarPaths(asar);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(DESKTOP, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

async function codeOf(pattern: RegExp): Promise<[file: string, code: string][]> {
  const files = (await filesOf(join(DESKTOP, 'out'))).filter((file) => pattern.test(file));
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [
      file,
      await readFile(join(DESKTOP, file), 'utf8'),
    ]),
  );
}

test('the package contains exactly what was built', async () => {
  const built = await filesOf(join(DESKTOP, 'out'));
  const files = packed.filter((path) => /\.[^/]+$/.test(path)).map((path) => path.slice(1));
  expect(files.toSorted()).toEqual([...built, 'package.json'].toSorted());
});

test('the package has every part of the app, but no sources, tests, source maps or dependencies', () => {
  for (const part of [
    '/out/main/boot.js',
    '/out/preload/server.cjs',
    '/out/preload/picker.cjs',
    '/out/renderer/index.html',
    '/out/picker/picker.html',
  ]) {
    expect(packed).toContain(part);
  }
  expect(
    packed.filter((path) => /node_modules|\.tsx?$|\.test\.|\.map$|\/src\//.test(path)),
  ).toEqual([]);
});

test('the packaged app starts the built entry module and keeps the names that its data depends on', () => {
  expect(readAsarPackageJson(asar)).toMatchObject({
    name: 'parley',
    productName: 'Parley',
    desktopName: 'org.parley.Parley.desktop',
    main: 'out/main/boot.js',
    type: 'module',
  });
});

test('the page in the package is the web build, byte for byte', async () => {
  const web = join(ROOT, 'apps/web/dist');
  for (const file of await filesOf(join(DESKTOP, 'out/renderer'))) {
    const inApp = await readFile(join(DESKTOP, file));
    const inWeb = await readFile(join(web, file.slice('out/renderer/'.length)));
    expect(inApp.equals(inWeb), file).toBe(true);
  }
});

test('the package has no service worker, as the app serves the page itself', async () => {
  const files = await filesOf(join(DESKTOP, 'out/renderer'));
  expect(files).toContain('out/renderer/index.html');
  expect(files).not.toContain('out/renderer/service-worker.js');
});

test('the preloads require only Electron, as the sandbox provides nothing else', async () => {
  const preloads = await codeOf(/^out\/preload\//);
  expect(preloads.map(([file]) => file).toSorted()).toEqual([
    'out/preload/picker.cjs',
    'out/preload/server.cjs',
  ]);
  for (const [, code] of preloads) {
    const needed = [...code.matchAll(/require\((['"])(.+?)\1\)/g)].map((match) => match[2]);
    expect(needed).toEqual(['electron']);
    expect(code).not.toMatch(/\bimport\s*\(|^import /m);
  }
});

test('the main process imports only Electron, Node modules and its own files', async () => {
  const files = await codeOf(/^out\/main\/.*\.js$/);
  const needed = files.flatMap(([, code]) =>
    [...code.matchAll(/^import .*?["'](.+?)["'];$/gm)].map((match) => match[1] ?? ''),
  );
  const isOwn = (name: string) => name === 'electron' || /^(?:node:|\.{1,2}\/)/.test(name);
  expect(needed.filter((name) => !isOwn(name))).toEqual([]);
  expect(needed).toContain('electron');
});
