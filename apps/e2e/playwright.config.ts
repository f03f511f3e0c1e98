import { testLaunchOptions, TEST_DEVICE } from '@parley/testing/browser';
import { isLongRun } from '@parley/testing/scope';
import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  timeout: 300_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 3,
  retries: 0,
  // The tests with this tag in their titles run with `npm run test:all`.
  ...(!isLongRun && { grepInvert: /@long/ }),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./src/support/browser-budget-reporter.ts']],
  use: {
    actionTimeout: 30_000,
    ...TEST_DEVICE,
    // What moves takes CPU time, and is clicked only when it has come to rest.
    contextOptions: { reducedMotion: 'reduce' },
    // Requests of a service worker never reach `page.route`.
    serviceWorkers: 'block',
    launchOptions: testLaunchOptions(process.env),
  },
});
