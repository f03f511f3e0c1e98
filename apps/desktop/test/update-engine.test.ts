import type { AppUpdater } from 'electron-updater';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUpdateEngine, type UpdateEngine } from '../src/main/updates/update-engine.ts';
import {
  installElectronForUpdater,
  type ElectronForUpdater,
} from './support/electron-for-updater.ts';

// Runs the real electron-updater with a feed on this machine. Only an AppImage can be updated without a
// system installer, so the new version is a fake AppImage: a script that records its start.

const FEED = 'https://updates.example/parley';
const NEW_VERSION = `#!/bin/sh
echo "exit=$APPIMAGE_EXIT_AFTER_INSTALL" > "$(dirname "$0")/started"
`;

let folder: string;
let server: Server;
let electron: ElectronForUpdater;
let files: Record<string, string>;
let requests: { path: string; headers: IncomingHttpHeaders }[];
let image: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-updates-'));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', FEED);
    requests.push({ path: pathname, headers: request.headers });
    // Each platform and architecture has its own update manifest.
    const body = files[pathname.replace(/latest(?:-[a-z\d-]+)?\.yml$/, 'latest.yml')];
    const length = { 'content-length': body?.length ?? 0 };
    response.writeHead(body === undefined ? 404 : 200, length).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  electron = installElectronForUpdater(join(folder, 'user'), () => port);
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const home = await mkdtemp(join(folder, 'home-'));
  image = join(home, 'Parley.AppImage');
  await writeFile(image, 'version 1.2.0', { mode: 0o755 });
  await writeFile(join(home, 'app-update.yml'), 'updaterCacheDirName: parley-updater\n');
  await mkdir(join(home, 'cache'));
  vi.stubEnv('APPIMAGE', image);
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  Object.assign(process, { resourcesPath: home });
  Object.assign(electron, { quits: 0, hasProxyLogin: false });
  electron.app.removeAllListeners();
  requests = [];
  files = { '/parley/latest.yml': manifest('1.3.0'), '/parley/Parley.AppImage': NEW_VERSION };
});
afterEach(() => vi.unstubAllEnvs());

/** Returns the update manifest that electron-builder writes next to the installers. */
function manifest(version: string, content = NEW_VERSION): string {
  const sha512 = createHash('sha512').update(content).digest('base64');
  const size = Buffer.byteLength(content);
  return `version: ${version}
files:
  - url: Parley.AppImage
    sha512: ${sha512}
    size: ${size}
path: Parley.AppImage
sha512: ${sha512}
releaseDate: '2026-01-01T00:00:00.000Z'
`;
}

interface ElectronUpdater {
  AppImageUpdater: new () => AppUpdater;
}

/** A chunk of the built app. One of them contains the library. */
interface Chunk {
  default?: ElectronUpdater;
}

async function createEngine(library?: ElectronUpdater): Promise<UpdateEngine> {
  const { AppImageUpdater } = library ?? (await import('electron-updater'));
  const updater: AppUpdater = new AppImageUpdater();
  updater.logger = null;
  updater.forceDevUpdateConfig = true;
  return createUpdateEngine(updater, FEED);
}

describe('checking for updates', () => {
  test.each([
    ['1.3.0', '1.3.0'],
    ['1.10.0', '1.10.0'],
    ['1.2.0', undefined],
    ['1.1.9', undefined],
    ['1.2.0-beta.1', undefined],
  ])('reads version %s from the feed and resolves to %s', async (version, found) => {
    files['/parley/latest.yml'] = manifest(version);
    expect(await (await createEngine()).check()).toBe(found);
  });

  test.each([
    ['is missing', undefined],
    ['is a web page', '<html><body>version: 9.9.9</body></html>'],
    ['is invalid YAML', '{ version: '],
    ['has no version', 'files: []\n'],
    ['has an invalid version', manifest('latest')],
  ])('rejects an update manifest that %s', async (_name, content) => {
    if (content === undefined) delete files['/parley/latest.yml'];
    else files['/parley/latest.yml'] = content;
    await expect((await createEngine()).check()).rejects.toThrow();
  });

  test('requests only the update manifest, without an id of the installation', async () => {
    await (await createEngine()).check();
    expect(requests.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/parley\/latest.*\.yml$/),
    ]);
    expect(requests[0]?.headers).toMatchObject({ 'x-user-staging-id': 'none' });
    expect(requests[0]?.headers).not.toHaveProperty('cookie');
  });

  test('works in installations that cannot update themselves, such as a .deb', async () => {
    vi.stubEnv('APPIMAGE', undefined);
    expect(await (await createEngine()).check()).toBe('1.3.0');
  });

  test('rejects instead of waiting for proxy credentials', async () => {
    electron.hasProxyLogin = true;
    await expect((await createEngine()).check()).rejects.toThrow('ERR_PROXY_AUTH_REQUESTED');
  });
});

describe.skipIf(process.platform !== 'linux')('downloading an update', () => {
  async function download(engine: UpdateEngine): Promise<number[]> {
    const progress: number[] = [];
    await engine.check();
    await engine.download((percent) => progress.push(percent));
    return progress;
  }
  const started = () => readFile(join(image, '../started'), 'utf8');

  test('reports progress and does not change the running version', async () => {
    // electron-updater reports progress at most once a second, and always 100 percent.
    const progress = await download(await createEngine());
    expect(progress.at(-1)).toBe(100);
    expect(await readFile(image, 'utf8')).toBe('version 1.2.0');
    expect(electron.quits).toBe(0);
  });

  test('installs it when the app quits, without starting the app again', async () => {
    await download(await createEngine());
    electron.app.emit('quit', {}, 0);
    expect(await readFile(image, 'utf8')).toBe(NEW_VERSION);
    expect((await stat(image)).mode & 0o111).not.toBe(0);
    expect(await started()).toBe('exit=true\n');
  });

  test('works in the built app, too', async () => {
    const out = join(import.meta.dirname, '../out/main');
    const boot = await readFile(join(out, 'boot.js'), 'utf8');
    const chunks = boot.matchAll(/import\("(\.\/chunks\/[^"]+)"\)/g);
    const modules = await Promise.all(
      Array.from(chunks, ([, chunk = '']) => import(join(out, chunk)) as Promise<Chunk>),
    );
    const built = modules.find((module) => module.default && 'AppImageUpdater' in module.default);
    expect(built).toBeDefined();
    await download(await createEngine(built?.default));
    electron.app.emit('quit', {}, 0);
    expect(await readFile(image, 'utf8')).toBe(NEW_VERSION);
  });

  test('installs nothing if the app exits with an error', async () => {
    await download(await createEngine());
    electron.app.emit('quit', {}, 1);
    expect(await readFile(image, 'utf8')).toBe('version 1.2.0');
  });

  test('installs it and starts the app again if the user restarts', async () => {
    const engine = await createEngine();
    await download(engine);
    engine.restart();
    expect(await readFile(image, 'utf8')).toBe(NEW_VERSION);
    await expect.poll(() => electron.quits, { timeout: 30_000 }).toBe(1);
    await expect.poll(started, { timeout: 30_000 }).toBe('exit=\n');
  });

  test('rejects a file whose checksum differs from the manifest, and keeps the running version', async () => {
    files['/parley/Parley.AppImage'] = NEW_VERSION.replace('started', 'stolen!');
    await expect(download(await createEngine())).rejects.toThrow(/sha512/);
    electron.app.emit('quit', {}, 0);
    expect(await readFile(image, 'utf8')).toBe('version 1.2.0');
  });

  test('reports a failure after the download', async () => {
    const engine = await createEngine();
    const handle = vi.fn<() => void>();
    engine.onLateFailure(handle);
    await download(engine);
    await rm(image);
    engine.restart();
    expect(handle).toHaveBeenCalledOnce();
    expect(electron.quits).toBe(0);
  });
});
