// A setup file of Vitest for random tests with fast-check.
import fc from 'fast-check';

/**
 * The seed of every run, so that the same cases judge each change, and a failure is due to the
 * change. A random seed explores new cases.
 */
const DEFAULT_SEED = 1;

const seed = process.env['PARLEY_TEST_SEED'] ?? String(DEFAULT_SEED);
if (seed !== 'random') {
  if (!/^-?\d+$/.test(seed)) throw new Error(`PARLEY_TEST_SEED is ${seed}, not a number or random`);
  fc.configureGlobal({ seed: Number(seed) });
}
