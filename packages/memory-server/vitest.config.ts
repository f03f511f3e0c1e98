import { MAX_WORKERS, SETUP_FILES, SHARED_MODULES, TIMEOUTS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: [...SETUP_FILES],
    maxWorkers: MAX_WORKERS,
    ...SHARED_MODULES,
    ...TIMEOUTS,
  },
});
