import { chromium } from 'playwright';
import { findExecutable } from './find-executable.ts';
import { isExecutable } from './is-executable.ts';

/**
 * The headless shell, which runs the same engine without the browser's interface. It makes tests a
 * quarter faster.
 */
export const HEADLESS_SHELL = 'chromium-headless-shell';
const NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Finds the path of a local Chromium: `PARLEY_CHROMIUM`, one on the PATH, or Playwright's own. */
export function findBrowser(env: NodeJS.ProcessEnv): string | undefined {
  const installed = findExecutable(env, 'PARLEY_CHROMIUM', NAMES);
  return [installed, chromium.executablePath()].find(isExecutable);
}

/** Returns the options of Playwright's `launch` for the local Chromium, with additional `args`. */
export function launchOptions(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): { executablePath?: string; args: string[] } {
  return createOptions(findBrowser(env), args);
}

/** The device that tests in a browser use unless they choose another one. */
export const TEST_DEVICE = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
} as const;

/** Like `launchOptions`, for tests: without requests of the browser itself, and with a microphone that is not real. */
export function testLaunchOptions(env: NodeJS.ProcessEnv): ReturnType<typeof launchOptions> {
  return launchOptions(
    env,
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  );
}

/** Like `launchOptions`, for the whole browser: the headless shell shows no notifications. */
export function fullLaunchOptions(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): { executablePath?: string; channel?: string; args: string[] } {
  const names = NAMES.filter((name) => name !== HEADLESS_SHELL);
  const installed = [findExecutable(env, 'PARLEY_CHROMIUM', names)].find(isExecutable);
  return {
    ...createOptions(installed, args),
    // The whole browser of Playwright, instead of its headless shell.
    ...(installed === undefined && { channel: 'chromium' }),
  };
}

function createOptions(
  executablePath: string | undefined,
  args: readonly string[],
): { executablePath?: string; args: string[] } {
  // Containers run as root, for which Chromium's sandbox cannot start.
  const isRoot = process.getuid?.() === 0;
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu', ...args],
  };
}
