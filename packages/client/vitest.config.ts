import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['../testing/src/seed-properties.ts'],
    // More than the two cores of CI, because tests mostly wait. By default, Vitest leaves one core unused.
    maxWorkers: 4,
    // Tests start and restart real servers, which is slow on CI machines. Milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Enough for all concurrent random histories.
    maxConcurrency: 8,
  },
});
