import { test as base, expect, type BrowserContext, type Page } from 'playwright/test';
import { runServer, type RunningServer } from '@parley/testing';

interface Fixtures {
  /** Variables for the server of this test. */
  serverEnv: Record<string, string>;
  /** A server of this test's own. */
  server: RunningServer;
  /** Opens a browser of somebody else: own cookies, own storage. */
  newPage: NewPage;
}

/** Opens a page in a browser of somebody else. */
export type NewPage = (options?: NewPageOptions) => Promise<Page>;

/** How somebody's browser is set up. */
export interface NewPageOptions {
  locale?: 'en-US' | 'de-DE';
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  deviceScaleFactor?: number;
  reducedMotion?: 'reduce';
  /** What the browser may do without asking; the microphone unless told otherwise. */
  permissions?: string[];
  hasTouch?: boolean;
  /** A phone: touch, and nothing that hovers. */
  isMobile?: boolean;
}

// Chromium writes a console error for every refused request, whether the page handles it or not.
const EXPECTED =
  /^Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_)/;
// What the application itself writes where a call fails, as some tests have it.
const OWN_LINE = /^Parley: .+ failed\./;
// By Playwright, and by a server that has none.
const NO_SERVICE_WORKER =
  /^(?:Service Worker registration blocked by Playwright|A bad HTTP response code \(404\) was received when fetching the script\.)$/;
const SOCKET = /^WebSocket connection to '.*' failed/;

/**
 * Playwright's test with a real server for each. A test fails if a page writes an error or a warning
 * to the console, throws, or asks any host but its own server.
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
    const complaints: string[] = [];
    await provide(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        permissions: ['microphone'],
        ...options,
      });
      contexts.push(context);
      context.on('page', (page) => watch(page, server.url, complaints));
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(complaints, 'what pages complained of').toEqual([]);
  },
});

function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (![EXPECTED, OWN_LINE, SOCKET, NO_SERVICE_WORKER].some((known) => known.test(text)))
      complaints.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) {
      complaints.push(`foreign request: ${request.url()}`);
    }
  });
}

export { expect } from 'playwright/test';
