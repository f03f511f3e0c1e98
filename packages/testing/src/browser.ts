import { chromium } from 'playwright';
import { findExecutable } from './find-executable.ts';
import { isExecutable } from './is-executable.ts';

/** The same engine without the browser's own windows, which takes a quarter less time for the tests. */
export const HEADLESS_SHELL = 'chromium-headless-shell';
const NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Path of a Chromium on this machine: `PARLEY_CHROMIUM`, one on the PATH, or Playwright's own. */
export function findBrowser(env: NodeJS.ProcessEnv): string | undefined {
  const installed = findExecutable(env, 'PARLEY_CHROMIUM', NAMES);
  return [installed, chromium.executablePath()].find(isExecutable);
}

/** Options of Playwright's `launch` for the browser that was found, with `args` besides. */
export function launchOptions(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): { executablePath?: string; args: string[] } {
  const executablePath = findBrowser(env);
  // Containers run as root, where Chromium's sandbox cannot start.
  const isRoot = process.getuid?.() === 0;
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu', ...args],
  };
}
