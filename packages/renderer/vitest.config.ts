import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const shared = {
  // tokens.test.ts reads the source of a stylesheet. Vitest empties stylesheets by default.
  css: { include: /\?raw$/ },
  // Milliseconds. Property tests are slow on busy CI machines.
  testTimeout: 60_000,
};

export default defineConfig({
  test: {
    // By default, Vitest leaves one core unused, which is half of CI's.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'renderer',
          setupFiles: ['../testing/src/seed-properties.ts'],
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
