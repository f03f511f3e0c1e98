import { defineConfig } from 'vitest/config';
import { withPseudoLanguage } from './test/pseudo-language.ts';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'units', include: ['src/**/*.test.ts'] } },
      {
        resolve: withPseudoLanguage(),
        test: { name: 'pseudo-language', include: ['src/texts.test.ts', 'test/**/*.test.ts'] },
      },
    ],
  },
});
