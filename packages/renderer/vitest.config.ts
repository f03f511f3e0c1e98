import { MAX_WORKERS, SETUP_FILES, TIMEOUTS } from '@parley/testing/scope';
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
          setupFiles: [...SETUP_FILES],
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
