import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Real servers are started and restarted, and machines that check are slow. Milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
