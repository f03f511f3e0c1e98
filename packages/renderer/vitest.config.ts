import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // tokens.test.ts reads the stylesheet's text; by default vitest empties stylesheets.
    css: { include: /\?raw$/ },
    // Property tests do much work, and machines that check are slow. Milliseconds.
    testTimeout: 60_000,
  },
});
