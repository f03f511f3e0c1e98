import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const shared = {
  // tokens.test.ts reads the stylesheet's text; by default vitest empties stylesheets.
  css: { include: /\?raw$/ },
  // Property tests do much work, and machines that check are slow. Milliseconds.
  testTimeout: 60_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'renderer', ...shared } },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/i18n/languages.test.tsx'],
          ...shared,
        },
      },
    ],
  },
});
