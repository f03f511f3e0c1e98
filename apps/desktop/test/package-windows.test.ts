import { getCurrentFuseWire } from '@electron/fuses';
import { Platform } from 'electron-builder';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TOAST_ACTIVATOR } from '../src/main/app-identity.electron.ts';
import { SCHEME } from '../src/main/links/deep-link.ts';
import { EXPECTED_FUSES } from './support/expected-fuses.ts';
import { packageApp, type PackagedApp } from './support/package-app.ts';
import { useToolStubs } from './support/stub-tools.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

const isWindows = process.platform === 'win32';

let folder: string;
let app: PackagedApp;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-win-'));
  await useToolStubs(join(folder, 'tools'));
  // On Windows a stub script cannot replace 7za, so no installer is built there.
  const targets = Platform.WINDOWS.createTarget(isWindows ? 'dir' : undefined);
  app = await packageApp(folder, 'win32', targets);
  program = join(app.output, 'win-unpacked', 'Parley.exe');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function resources() {
  const executable = NtExecutable.from(await readFile(program), { ignoreCert: true });
  return NtExecutableResource.from(executable);
}

test('the fuses are set in the program', async () => {
  expect(await getCurrentFuseWire(program)).toMatchObject(EXPECTED_FUSES);
});

test('the program contains its name, its version and the hash of the asar', async () => {
  const { entries } = await resources();
  const [version] = Resource.VersionInfo.fromEntries(entries);
  expect(version?.getStringValues({ lang: 1033, codepage: 1200 })).toMatchObject({
    ProductName: 'Parley',
    FileDescription: 'Parley',
    CompanyName: 'The Parley contributors',
    FileVersion: '0.1.0',
  });
  const integrity = entries.find(({ type }) => type === 'INTEGRITY');
  expect(JSON.parse(Buffer.from(integrity?.bin ?? new ArrayBuffer()).toString())).toEqual([
    { file: 'resources\\app.asar', alg: 'SHA256', value: expect.stringMatching(/^[\da-f]{64}$/) },
  ]);
  expect(Resource.IconGroupEntry.fromEntries(entries)).not.toEqual([]);
});

test('the uninstaller removes the registry entries that the app has written', async () => {
  const include = await app.packager.getResource(undefined, 'installer.nsh');
  const script = await readFile(include ?? '', 'utf8');
  expect(script).toContain('!macro customUnInstall');
  // Electron registers the start at login under the id of the app, and links under their scheme.
  expect(script).toMatch(/CurrentVersion\\Run" "\$\{APP_ID\}"/);
  expect(script).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${TOAST_ACTIVATOR}"`);
  expect(script).toContain(`DeleteRegKey HKCU "${['Software', 'Classes', SCHEME].join('\\')}"`);
});

test.skipIf(isWindows)('the installer installs for one user and keeps their data', () => {
  const [defines, commands] = app.toolInputs[0] as Record<string, unknown>[];
  // For notifications, the shortcut must have the same id as `setAppUserModelId`.
  expect(defines).toMatchObject({
    APP_ID: 'org.parley.desktop',
    PRODUCT_NAME: 'Parley',
    SHORTCUT_NAME: 'Parley',
    APP_FILENAME: 'parley',
    APP_INSTALLER_STORE_FILE: 'parley-updater\\installer.exe',
    ONE_CLICK: null,
    RUN_AFTER_FINISH: null,
  });
  expect(defines).not.toHaveProperty('INSTALL_MODE_PER_ALL_USERS');
  expect(defines).not.toHaveProperty('DELETE_APP_DATA_ON_UNINSTALL');
  expect(commands?.['OutFile']).toMatch(/Parley-0\.1\.0-win-x64\.exe"$/);
  const [, others] = app.toolInputs[1] as Record<string, unknown>[];
  expect(others?.['OutFile']).toMatch(/Parley-0\.1\.0-win-arm64\.exe"$/);
});
