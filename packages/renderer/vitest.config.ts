import { MAX_WORKERS, TIMEOUTS } from '@parley/testing/scope';
import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const shared = {
  // tokens.test.ts reads the source of a stylesheet. Vitest empties stylesheets by default.
  css: { include: /\?raw$/ },
  ...TIMEOUTS,
};

export default defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    projects: [
      {
        test: {
          name: 'renderer',
          setupFiles: ['../testing/src/seed-properties.ts', '../testing/src/costs/count-costs.ts'],
          ...shared,
        },
      },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/i18n/page-languages.test.tsx'],
          ...shared,
        },
      },
    ],
  },
});
