import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findBrowser, HEADLESS_SHELL } from '@parley/testing/browser';
import { isLongRun } from '@parley/testing/scope';
import { firefox } from '../src/engines/firefox.ts';
import { webkit } from '../src/engines/webkit.ts';

// Runs before the browser tests. Installs missing browsers or reports why it cannot.

interface Source {
  readonly name: string;
  /** Returns why this source cannot be used, or undefined if it can. */
  readonly obstacle: () => string | undefined;
  readonly commands: readonly Command[];
}

type Command = readonly [command: string, ...args: string[]];

const APT_UPDATE: Command = ['apt-get', 'update', '--quiet'];
const APT_INSTALL: Command = ['apt-get', 'install', '--yes', '--quiet', '--no-install-recommends'];

const WEBKIT_CODECS = ['gstreamer1.0-libav', 'gstreamer1.0-plugins-bad'];

const playwright = join(
  dirname(createRequire(import.meta.url).resolve('playwright/package.json')),
  'cli.js',
);

const SOURCES: readonly Source[] = [
  {
    name: "the system's chromium package",
    obstacle() {
      if (process.getuid?.() !== 0) return 'only root may install packages';
      return hasCommand('apt-get') ? undefined : 'there is no apt-get';
    },
    commands: [APT_UPDATE, [...APT_INSTALL, 'chromium', HEADLESS_SHELL]],
  },
  {
    name: "Playwright's own build of Chromium",
    obstacle: () => undefined,
    commands: [[process.execPath, playwright, 'install', 'chromium']],
  },
];

if (findBrowser(process.env) === undefined) {
  const failures = [];
  for (const source of SOURCES) {
    const failure = source.obstacle() ?? install(source);
    if (failure === undefined) break;
    failures.push(`- ${source.name}: ${failure}`);
  }
  if (findBrowser(process.env) === undefined) {
    process.stderr.write(
      [
        'The browser tests need a Chromium, and none could be found or installed:',
        ...failures,
        'Install Chromium or Chrome, or name its executable in PARLEY_CHROMIUM.',
        '',
      ].join('\n'),
    );
    process.exit(1);
  }
}

installHeadlessShell();
if (isLongRun) installOtherEngines();

/** Installs a faster build of Chromium if Debian's packages are available. It is optional. */
function installHeadlessShell(): void {
  if (hasCommand(HEADLESS_SHELL) || process.getuid?.() !== 0 || !hasCommand('apt-get')) return;
  process.stdout.write('Installing the headless shell of Chromium …\n');
  run(APT_UPDATE);
  run([...APT_INSTALL, HEADLESS_SHELL]);
}

/** Installs Firefox and WebKitGTK if Debian's packages are available. Otherwise, their tests are skipped. */
function installOtherEngines(): void {
  if (firefox.missing() === undefined && webkit.missing() === undefined) return;
  if (process.getuid?.() === 0 && hasCommand('apt-get')) {
    process.stdout.write('Installing Firefox and WebKitGTK for the tests in other engines …\n');
    run(APT_UPDATE);
    run([...APT_INSTALL, 'firefox-esr', 'webkit2gtk-driver', 'xvfb', ...WEBKIT_CODECS]);
  }
  for (const { name, missing } of [firefox, webkit]) {
    const reason = missing();
    if (reason !== undefined) process.stdout.write(`Tests in ${name} are skipped: ${reason}.\n`);
  }
}

/** Installs from a source. Returns the failure, or undefined. */
function install({ name, commands }: Source): string | undefined {
  process.stdout.write(`No Chromium found. Installing ${name} …\n`);
  for (const command of commands) {
    const { status, error } = run(command);
    if (status !== 0) return `\`${command[0]}\` failed${error ? `: ${error.message}` : ''}`;
  }
  return findBrowser(process.env) === undefined ? 'installed, but not found' : undefined;
}

function run([command, ...args]: Command) {
  return spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}
