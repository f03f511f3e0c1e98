import { getCurrentFuseWire } from '@electron/fuses';
import { LANGUAGE_CODES } from '@parley/texts';
import { Platform } from 'electron-builder';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageApp, type FpmInput, type PackagedApp } from './support/package-app.ts';
import { EXPECTED_FUSES } from './support/expected-fuses.ts';
import { useToolStubs } from './support/stub-tools.ts';

let folder: string;
let app: PackagedApp;
let unpacked: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-linux-'));
  await useToolStubs(join(folder, 'tools'));
  app = await packageApp(folder, 'linux', Platform.LINUX.createTarget());
  unpacked = join(app.output, 'linux-unpacked');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface AppImageInput {
  desktop: string;
  desktopFileName: string;
}
const isDeb = (input: unknown): input is FpmInput => Object.hasOwn(Object(input), 'args');
const appImage = () => app.toolInputs.find((input) => !isDeb(input)) as AppImageInput;
const debs = () => app.toolInputs.filter(isDeb);
const getPackagePath = ({ args }: FpmInput) => args[args.indexOf('--package') + 1] ?? '';
/** The package of the app in `linux-unpacked`. */
const deb = () => {
  const found = debs().find((input) => getPackagePath(input).endsWith('-amd64.deb'));
  if (found === undefined) throw new Error('there is no .deb for amd64');
  return found;
};

function valueOf(flag: string): string | undefined {
  const { args } = deb();
  return args[args.indexOf(flag) + 1];
}

test('Chromium has the languages of the app only', async () => {
  const files = await readdir(join(unpacked, 'locales'));
  expect(files.toSorted()).toEqual(['de.pak', 'en-GB.pak', 'en-US.pak']);
  expect(app.config.electronLanguages).toEqual(LANGUAGE_CODES);
});

test('the fuses are set in the binary', async () => {
  expect(await getCurrentFuseWire(join(unpacked, 'parley'))).toMatchObject(EXPECTED_FUSES);
});

test('there are both packages for both architectures', () => {
  expect(debs().map((input) => basename(getPackagePath(input)))).toEqual([
    'Parley-0.1.0-linux-amd64.deb',
    'Parley-0.1.0-linux-arm64.deb',
  ]);
  expect(app.toolInputs).toHaveLength(4);
});

test('both packages install a desktop entry that opens parley: links and matches the windows', () => {
  const entry = [
    'Name=Parley',
    'Terminal=false',
    'Type=Application',
    'Icon=parley',
    'StartupWMClass=org.parley.Parley',
    'MimeType=x-scheme-handler/parley;',
    'Categories=Network;InstantMessaging;',
  ];
  expect(appImage().desktopFileName).toBe('org.parley.Parley.desktop');
  expect(appImage().desktop.split('\n')).toEqual(expect.arrayContaining(entry));
  const installed = deb().args.find((arg) =>
    arg.endsWith('=/usr/share/applications/org.parley.Parley.desktop'),
  );
  const lines = deb().files[installed?.split('=')[0] ?? '']?.split('\n');
  expect(lines).toEqual(expect.arrayContaining([...entry, 'Exec=/opt/Parley/parley %U']));
});

test('both packages start the app with its sandbox', () => {
  expect(appImage().desktop).toContain('\nExec=AppRun %U\n');
  expect(JSON.stringify(app.toolInputs)).not.toContain('no-sandbox');
});

test('the .deb has the control fields that Debian requires', () => {
  expect(valueOf('--name')).toBe('parley');
  expect(valueOf('--version')).toBe('0.1.0');
  expect(valueOf('--maintainer')).toMatch(/^.+ <.+@.+>$/);
  expect(valueOf('--url')).toMatch(/^https:/);
  expect(valueOf('--license')).toBe('MIT');
  expect(valueOf('--description')).toContain('A self-hosted one-to-one chat');
  expect(valueOf('--package')).toMatch(/Parley-0\.1\.0-linux-(?:amd|arm)64\.deb$/);
  expect(deb().args).toContain(`${unpacked}/=/opt/Parley`);
});

test('the .deb contains and installs the AppArmor profile', async () => {
  const profile = await readFile(join(unpacked, 'resources/apparmor-profile'), 'utf8');
  expect(profile).toContain('profile "parley" "/opt/Parley/parley" flags=(unconfined)');
  expect(profile).toContain('userns,');
  const afterInstall = deb().files[valueOf('--after-install') ?? ''];
  expect(afterInstall).toContain("APPARMOR_PROFILE_TARGET='/etc/apparmor.d/parley'");
  expect(afterInstall).toContain("chmod 4755 '/opt/Parley/chrome-sandbox'");
  expect(deb().files[valueOf('--after-remove') ?? '']).toContain('/etc/apparmor.d/parley');
});

test('the .deb installs the icon in all sizes that desktops use', async () => {
  const icons = deb().args.filter((arg) => arg.includes('=/usr/share/icons/'));
  const sizes = [16, 32, 48, 64, 128, 256, 512];
  expect(icons.map((icon) => icon.split('=')[1])).toEqual(
    sizes.map((size) => `/usr/share/icons/hicolor/${size}x${size}/apps/parley.png`),
  );
  for (const [index, size] of sizes.entries()) {
    const png = await readFile(icons[index]?.split('=')[0] ?? '');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
});
