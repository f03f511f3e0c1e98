import { MAX_WORKERS, TIMEOUTS } from '@parley/testing/scope';
import { defineConfig } from 'vitest/config';
import { withPseudoLanguage } from './test/pseudo-language.ts';

export default defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    projects: [
      { test: { name: 'units', include: ['src/**/*.test.ts'], ...TIMEOUTS } },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/texts.test.ts', 'test/**/*.test.ts'],
          ...TIMEOUTS,
        },
      },
    ],
  },
});
