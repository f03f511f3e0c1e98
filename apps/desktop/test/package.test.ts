import { listPackage } from '@electron/asar';
import { build, Platform } from 'electron-builder';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const DESKTOP = join(ROOT, 'apps/desktop');

let folder: string;
let packed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'));
  const electronDist = await standInForElectron(join(folder, 'electron'));
  await build({
    projectDir: ROOT,
    targets: Platform.LINUX.createTarget('dir'),
    publish: 'never',
    config: {
      extends: join(ROOT, 'electron-builder.yml'),
      electronDist,
      // Fuses are switches inside the real program.
      electronFuses: null,
      directories: {
        app: 'apps/desktop',
        buildResources: 'apps/desktop/build',
        output: join(folder, 'dist'),
      },
    },
  });
  const asar = join(folder, 'dist/linux-unpacked/resources/app.asar');
  packed = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files that packing looks for, without what is in them: no download, on any machine. */
async function standInForElectron(path: string): Promise<string> {
  await mkdir(join(path, 'resources'), { recursive: true });
  await mkdir(join(path, 'locales'), { recursive: true });
  for (const name of ['electron', 'chrome-sandbox', 'LICENSE', 'version']) {
    await writeFile(join(path, name), '', { mode: 0o755 });
  }
  return path;
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(DESKTOP, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

test('exactly what was built is packed', async () => {
  const built = await filesOf(join(DESKTOP, 'out'));
  const files = packed.filter((path) => /\.[^/]+$/.test(path)).map((path) => path.slice(1));
  expect(files.toSorted()).toEqual([...built, 'package.json'].toSorted());
});

test('with every part of the app, and no source, test, map or dependency', () => {
  for (const part of [
    '/out/main/boot.js',
    '/out/preload/server.cjs',
    '/out/preload/shell.cjs',
    '/out/renderer/index.html',
    '/out/shell/servers.html',
  ]) {
    expect(packed).toContain(part);
  }
  expect(
    packed.filter((path) => /node_modules|\.tsx?$|\.test\.|\.map$|\/src\//.test(path)),
  ).toEqual([]);
});

test('the page in it is the web build, byte for byte', async () => {
  const web = join(ROOT, 'apps/web/dist');
  for (const file of await filesOf(join(DESKTOP, 'out/renderer'))) {
    const inApp = await readFile(join(DESKTOP, file));
    const inWeb = await readFile(join(web, file.slice('out/renderer/'.length)));
    expect(inApp.equals(inWeb), file).toBe(true);
  }
});

test('a preload needs nothing but Electron: in the sandbox there is nothing else', async () => {
  for (const name of ['server.cjs', 'shell.cjs']) {
    const code = await readFile(join(DESKTOP, 'out/preload', name), 'utf8');
    const needed = [...code.matchAll(/require\((['"])(.+?)\1\)/g)].map((match) => match[2]);
    expect(needed).toEqual(['electron']);
    expect(code).not.toMatch(/\bimport\s*\(|^import /m);
  }
});

test('the main process brings its libraries along', async () => {
  const code = await readFile(join(DESKTOP, 'out/main/boot.js'), 'utf8');
  const needed = [...code.matchAll(/^import .*? from "(.+?)";$/gm)].map((match) => match[1] ?? '');
  expect(needed.filter((name) => name !== 'electron' && !name.startsWith('node:'))).toEqual([]);
  expect(needed).toContain('electron');
});
