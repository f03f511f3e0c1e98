import { defineConfig } from 'playwright/test';
import { findBrowser } from './scripts/find-browser.ts';

const executablePath = findBrowser(process.env);

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  timeout: 300_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 2,
  // One more try, reported as flaky: a machine that others share may stall for seconds.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Costs a fifth of the run; `--trace on` where a failure needs it.
    trace: process.env['CI'] === undefined ? 'off' : 'retain-on-failure',
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        // Containers run as root, where Chromium's sandbox cannot start.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
});
