import { withPseudoLanguage } from '@parley/texts/pseudo-language';
import { defineConfig } from 'vitest/config';

const timeouts = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'server', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], ...timeouts },
      },
      {
        resolve: withPseudoLanguage(),
        test: {
          name: 'pseudo-language',
          include: ['src/mail/mail-template.test.ts', 'test/server-languages.test.ts'],
          ...timeouts,
        },
      },
    ],
  },
});
