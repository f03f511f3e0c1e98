import { MAX_WORKERS, SETUP_FILES, TIMEOUTS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    include: ['src/**/*.test.ts'],
    maxWorkers: MAX_WORKERS,
    setupFiles: [...SETUP_FILES],
    ...TIMEOUTS,
  },
});
