import { test as base, expect, type BrowserContext, type Page } from 'playwright/test';
import { startServerHost, type HostedServer, type ServerHost } from '@parley/testing';
import { COSTS_ANNOTATION, type BrowserCosts } from './browser-costs.ts';

interface Fixtures {
  /** Environment variables of the test's server. */
  serverEnv: Record<string, string>;
  /** The test's own server. */
  server: HostedServer;
  /** Opens a page in a new browser context. */
  newPage: NewPage;
  /** What the test has used, which the budget limits. */
  costs: BrowserCosts;
}

interface WorkerFixtures {
  /** Runs the servers of all tests of a worker, because a process for each would take a sixth of the CPU time. */
  serverHost: ServerHost;
}

/** Opens a page in a new browser context, with its own cookies and storage. */
export type NewPage = (options?: NewPageOptions) => Promise<Page>;

/** The settings of a browser context. */
export interface NewPageOptions {
  locale?: 'en-US' | 'de-DE';
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  deviceScaleFactor?: number;
  /** Permissions that the browser grants. By default the microphone. */
  permissions?: string[];
  hasTouch?: boolean;
  /** Whether the device is a phone, which cannot hover. */
  isMobile?: boolean;
  serviceWorkers?: 'allow' | 'block';
}

// Chromium logs an error for every failed request, even if the page handles it.
const FAILED_REQUEST =
  /^Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_)/;
// The application logs failed calls, which some tests cause.
const APPLICATION_LOG = /^Parley: .+ failed\./;
// Chromium or Playwright logs these if the service worker is blocked or the server has none.
const NO_SERVICE_WORKER =
  /^(?:Service Worker registration blocked by Playwright|A bad HTTP response code \(404\) was received when fetching the script\.|The script resource is behind a redirect, which is disallowed\.)$/;
// Chromium logs this in Playwright's contexts, which are private windows.
const NO_PUSH = /^Chrome currently does not support the Push API in incognito mode/;
const SOCKET = /^WebSocket connection to '.*' failed/;

/**
 * Playwright's `test` with a real server for each test. A test fails if a page logs an error or a warning, throws, or
 * sends a request to any other host.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  serverHost: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, provide) => {
      const host = startServerHost();
      await provide(host);
      await host.close();
    },
    { scope: 'worker' },
  ],

  serverEnv: [{}, { option: true }],

  costs: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, provide, info) => {
      const costs: BrowserCosts = { servers: 0, contexts: 0, documents: 0 };
      await provide(costs);
      info.annotations.push({ type: COSTS_ANNOTATION, description: JSON.stringify(costs) });
    },
    { auto: true },
  ],

  server: async ({ serverEnv, serverHost, costs }, provide) => {
    const server = await serverHost.run(serverEnv);
    costs.servers += 1;
    await provide(server);
    await server.dispose();
  },

  newPage: async ({ browser, server, costs }, provide) => {
    const contexts: BrowserContext[] = [];
    const pageErrors: string[] = [];
    await provide(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        permissions: ['microphone'],
        ...options,
      });
      contexts.push(context);
      costs.contexts += 1;
      context.on('page', (page) => {
        watch(page, server.url, pageErrors);
        page.on('domcontentloaded', () => (costs.documents += 1));
      });
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
      ![FAILED_REQUEST, APPLICATION_LOG, SOCKET, NO_SERVICE_WORKER, NO_PUSH].some((known) =>
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
