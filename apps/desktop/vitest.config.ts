import { MAX_WORKERS, SETUP_FILES, TIMEOUTS } from '@parley/testing/scope';
import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const shared = {
  // Otherwise, importing `electron` in Node downloads it.
  env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
  ...TIMEOUTS,
};

export default defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    projects: [
      {
        test: {
          name: 'desktop',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          setupFiles: [...SETUP_FILES],
          ...shared,
        },
      },
      {
        resolve: withPseudoLanguage(),
        test: { name: 'pseudo-language', include: ['src/texts/desktop-texts.test.ts'], ...shared },
      },
    ],
  },
});
