import { MAX_WORKERS, SETUP_FILES, TIMEOUTS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: [...SETUP_FILES],
    maxWorkers: MAX_WORKERS,
    ...TIMEOUTS,
  },
});
