import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Asking `electron` for its path downloads it where this is not set.
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
  },
});
