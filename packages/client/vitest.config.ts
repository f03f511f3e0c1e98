import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests start and restart real servers, which is slow on CI machines. Milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // All lanes of the random histories at once.
    maxConcurrency: 8,
  },
});
