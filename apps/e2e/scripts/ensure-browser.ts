import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findBrowser } from '@parley/testing/browser';

// Runs before the browser tests: sees to it that there is a browser, or says that there is none.

interface Source {
  readonly name: string;
  /** Why this one cannot be tried here; undefined if it can. */
  readonly obstacle: () => string | undefined;
  readonly commands: readonly (readonly [command: string, ...args: string[]])[];
}

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
    commands: [
      ['apt-get', 'update', '--quiet'],
      ['apt-get', 'install', '--yes', '--quiet', '--no-install-recommends', 'chromium'],
    ],
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

/** Installs from a source; returns what went wrong. */
function install({ name, commands }: Source): string | undefined {
  process.stdout.write(`No Chromium found. Installing ${name} …\n`);
  for (const [command, ...args] of commands) {
    const { status, error } = spawnSync(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return `\`${command}\` failed${error ? `: ${error.message}` : ''}`;
  }
  return findBrowser(process.env) === undefined ? 'installed, but not found' : undefined;
}

function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}
