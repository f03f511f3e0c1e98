import { defineConfig } from 'vitest/config';
import { withPseudoLanguage } from './test/pseudo-language.ts';

export default defineConfig({
  test: {
    // By default, Vitest leaves one core unused, which is half of CI's.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'units', include: ['src/**/*.test.ts'] } },
      {
        resolve: withPseudoLanguage(),
        test: { name: 'pseudo-language', include: ['src/texts.test.ts', 'test/**/*.test.ts'] },
      },
    ],
  },
});
