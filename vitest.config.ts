import { BudgetReporter } from '@parley/testing/budget-reporter';
import { MAX_WORKERS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts'],
    maxWorkers: MAX_WORKERS,
    reporters: ['default', new BudgetReporter()],
  },
});
