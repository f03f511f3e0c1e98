import { test as base, expect, type BrowserContext, type Page } from 'playwright/test';
import { runServer, type RunningServer } from '@parley/testing';

interface Fixtures {
  /** Environment variables of the test's server. */
  serverEnv: Record<string, string>;
  /** The test's own server. */
  server: RunningServer;
  /** Opens a page in a new browser context. */
  newPage: NewPage;
}

/** Opens a page in a new browser context, with its own cookies and storage. */
export type NewPage = (options?: NewPageOptions) => Promise<Page>;

/** The settings of a browser context. */
export interface NewPageOptions {
  locale?: 'en-US' | 'de-DE';
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  deviceScaleFactor?: number;
  reducedMotion?: 'reduce';
  /** Permissions that the browser grants. By default the microphone. */
  permissions?: string[];
  hasTouch?: boolean;
  /** Whether the device is a phone, which cannot hover. */
  isMobile?: boolean;
}

// Chromium logs an error for every failed request, even if the page handles it.
const FAILED_REQUEST =
  /^Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_)/;
// The application logs failed calls, which some tests cause.
const APPLICATION_LOG = /^Parley: .+ failed\./;
// Chromium or Playwright logs these if the service worker is blocked or the server has none.
const NO_SERVICE_WORKER =
  /^(?:Service Worker registration blocked by Playwright|A bad HTTP response code \(404\) was received when fetching the script\.|The script resource is behind a redirect, which is disallowed\.)$/;
const SOCKET = /^WebSocket connection to '.*' failed/;

/**
 * Playwright's `test` with a real server for each test. A test fails if a page logs an error or a warning, throws, or
 * sends a request to any other host.
 */
export const test = base.extend<Fixtures>({
  serverEnv: [{}, { option: true }],

  server: async ({ serverEnv }, provide) => {
    const server = await runServer(serverEnv);
    await provide(server);
    await server.dispose();
  },

  newPage: async ({ browser, server }, provide) => {
    const contexts: BrowserContext[] = [];
    const pageErrors: string[] = [];
    await provide(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        permissions: ['microphone'],
        ...options,
      });
      contexts.push(context);
      context.on('page', (page) => watch(page, server.url, pageErrors));
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(pageErrors, 'errors of the pages').toEqual([]);
  },
});

function watch(page: Page, origin: string, pageErrors: string[]): void {
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (
      ![FAILED_REQUEST, APPLICATION_LOG, SOCKET, NO_SERVICE_WORKER].some((known) =>
        known.test(text),
      )
    )
      pageErrors.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) {
      pageErrors.push(`foreign request: ${request.url()}`);
    }
  });
}

export { expect } from 'playwright/test';
