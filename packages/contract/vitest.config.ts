import { MAX_WORKERS, TIMEOUTS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['../testing/src/seed-properties.ts', '../testing/src/costs/count-costs.ts'],
    maxWorkers: MAX_WORKERS,
    ...TIMEOUTS,
  },
});
