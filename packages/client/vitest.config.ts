import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests start and restart real servers, which is slow on CI machines. Milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Enough for all concurrent random histories.
    maxConcurrency: 8,
  },
});
