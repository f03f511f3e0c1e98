import { defineConfig } from 'vitest/config';

export default defineConfig({
  // tokens.test.ts reads the stylesheet's text; by default vitest empties stylesheets.
  test: { css: { include: /\?raw$/ } },
});
