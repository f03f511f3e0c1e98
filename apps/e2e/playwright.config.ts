import { launchOptions } from '@parley/testing/browser';
import { isLongRun } from '@parley/testing/scope';
import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  timeout: 300_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // The tests with this tag in their titles run with `npm run test:all`.
  ...(!isLongRun && { grepInvert: /@long/ }),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./src/support/browser-budget-reporter.ts']],
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Requests of a service worker never reach `page.route`.
    serviceWorkers: 'block',
    launchOptions: launchOptions(
      process.env,
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ),
  },
});
