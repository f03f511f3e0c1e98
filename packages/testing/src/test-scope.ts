// What the configurations of all tests share.
import { join } from 'node:path';
import { keepTempFilesInMemory } from './temp-folder.ts';

/**
 * Whether the tests that take long run too, as in `npm run test:all`: other engines, scale,
 * attacks, crashes, timing.
 */
export const isLongRun = process.env['PARLEY_TEST_LONG'] === 'true';

// The configurations import this before any test runs. The long run waits for the disk, as the product does.
if (!isLongRun) keepTempFilesInMemory();

/** Returns how many of `count` random cases run: a sixth, which are the same in each run, but all in the long run. */
export function casesOf(count: number): number {
  return isLongRun ? count : Math.ceil(count / 6);
}

/**
 * Number of test files that run at the same time. More than the two cores of CI, because tests
 * mostly wait for timers, databases and processes.
 */
export const MAX_WORKERS = 4;

/**
 * Longer than any test takes on a slow and busy machine, so that only a test that hangs reaches
 * them. Milliseconds.
 */
export const TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000 } as const;

/**
 * Test files of a project share the modules of the worker that runs them. Starting a process for each file and
 * importing the modules again takes a quarter of the time otherwise.
 */
export const SHARED_MODULES = { isolate: false, restoreMocks: true, unstubEnvs: true } as const;

/**
 * Setup files that give random tests the same cases in each run, count what tests use, and end what a file has replaced.
 */
export const SETUP_FILES: readonly string[] = [
  'seed-properties.ts',
  'costs/count-costs.ts',
  'restore-environment.ts',
].map((file) => join(import.meta.dirname, file));
