import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const shared = {
  // Asking `electron` for its path downloads it where this is not set.
  env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'desktop', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], ...shared },
      },
      {
        resolve: withPseudoLanguage(),
        test: { name: 'pseudo-language', include: ['src/texts/texts.test.ts'], ...shared },
      },
    ],
  },
});
