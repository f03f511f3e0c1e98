import { getCurrentFuseWire } from '@electron/fuses';
import { Arch, Platform } from 'electron-builder';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import plist from 'plist';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPECTED_FUSES } from './support/expected-fuses.ts';
import { packageApp, type PackagedApp } from './support/package-app.ts';
import { useToolStubs, type ToolStubs } from './support/stub-tools.ts';

const isWindows = process.platform === 'win32';

let folder: string;
let tools: ToolStubs;
let app: PackagedApp;

beforeAll(async () => {
  if (isWindows) return;
  folder = await mkdtemp(join(tmpdir(), 'parley-mac-'));
  tools = await useToolStubs(join(folder, 'tools'));
  // A disk image needs programs of macOS. Both targets pack the same app.
  app = await packageApp(folder, 'darwin', Platform.MAC.createTarget('zip', Arch.x64, Arch.arm64));
}, 300_000);
afterAll(async () => {
  if (!isWindows) await rm(folder, { recursive: true, force: true });
});

// electron-builder refuses to package for macOS on Windows.
const onUnix = test.skipIf(isWindows);
const appOf = (arch: string) =>
  join(app.output, arch === 'x64' ? 'mac' : `mac-${arch}`, 'Parley.app');

async function readPlist(path: string): Promise<Record<string, unknown>> {
  return plist.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
}

onUnix('Intel and Apple silicon each get a disk image and an archive', () => {
  expect(app.config.mac?.target).toEqual([
    { target: 'dmg', arch: ['x64', 'arm64'] },
    { target: 'zip', arch: ['x64', 'arm64'] },
  ]);
  for (const arch of ['x64', 'arm64']) expect(existsSync(appOf(arch))).toBe(true);
});

onUnix('latest-mac.yml lists both archives by names that the updater can distinguish', async () => {
  const list = await readFile(join(app.output, 'latest-mac.yml'), 'utf8');
  const urls = [...list.matchAll(/^ {2}- url: (.+)$/gm)].map(([, url = '']) => url);
  expect(urls.toSorted()).toEqual(['Parley-0.1.0-mac-arm64.zip', 'Parley-0.1.0-mac-x64.zip']);
  for (const url of urls) expect(existsSync(join(app.output, url))).toBe(true);
});

onUnix.each(['x64', 'arm64'])(
  'the fuses of the %s app are set before the ad-hoc signature, and no file changes after it',
  async (arch) => {
    expect(await getCurrentFuseWire(appOf(arch))).toMatchObject(EXPECTED_FUSES);
    const { args, sums } = await tools.readCodesign(arch === 'x64' ? 'mac' : 'mac-arm64');
    expect(args).toMatch(/^--sign - --force .*--deep .*Parley\.app /);
    expect(sumsOf(appOf(arch))).toBe(sums);
  },
);

/** Returns checksums in the format that the stub of codesign records. */
function sumsOf(path: string): string {
  const command = 'find "$1" -type f -exec cksum {} + | sort';
  return execFileSync('sh', ['-c', command, 'sh', path], { encoding: 'utf8' });
}

onUnix(
  'the entitlements of the app and its helpers are found from any working directory',
  async () => {
    const optionsForFile = await signOptionsFor(appOf('arm64'));
    for (const file of ['', 'Contents/Frameworks/Parley Helper (Renderer).app']) {
      const path = join(appOf('arm64'), file);
      const { entitlements, hardenedRuntime } = optionsForFile(path);
      expect(hardenedRuntime).toBe(true);
      expect(isAbsolute(entitlements)).toBe(true);
      expect(await readPlist(entitlements)).toEqual({
        'com.apple.security.cs.allow-jit': true,
        'com.apple.security.device.audio-input': true,
      });
    }
  },
);

interface FileSignOptions {
  entitlements: string;
  hardenedRuntime: boolean;
}

/** Returns the options with which electron-builder would sign each file if it had a certificate. */
async function signOptionsFor(path: string): Promise<(file: string) => FileSignOptions> {
  const { helper } = app.packager as unknown as {
    helper: {
      getOptionsForFile: (
        appPath: string,
        isAppStore: boolean,
        options: unknown,
      ) => Promise<(file: string) => FileSignOptions>;
    };
  };
  return helper.getOptionsForFile(path, false, app.packager.platformSpecificBuildOptions);
}

onUnix(
  'Info.plist registers parley: links, explains the permissions and contains the hash of the asar',
  async () => {
    const info = await readPlist(join(appOf('x64'), 'Contents/Info.plist'));
    expect(info).toMatchObject({
      CFBundleIdentifier: 'org.parley.desktop',
      CFBundleName: 'Parley',
      CFBundleExecutable: 'Parley',
      CFBundleShortVersionString: '0.1.0',
      CFBundleIconFile: 'icon.icns',
      LSApplicationCategoryType: 'public.app-category.social-networking',
      LSMinimumSystemVersion: '13.0',
      CFBundleURLTypes: [{ CFBundleURLName: 'Parley', CFBundleURLSchemes: ['parley'] }],
      NSMicrophoneUsageDescription: expect.stringContaining('voice messages'),
      NSLocalNetworkUsageDescription: expect.stringContaining('your server'),
      ElectronAsarIntegrity: { 'Resources/app.asar': { algorithm: 'SHA256' } },
    });
  },
);
