import { openPlainBrowser, type PlainBrowser } from './plain-browser.ts';
import { startReverseProxy, type ReverseProxy } from './reverse-proxy.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

interface Fixtures {
  reverseProxy: ReverseProxy;
  /** A browser without Playwright. */
  plainBrowser: PlainBrowser;
}

/** A `test` whose pages reach the server through a reverse proxy, which can be closed and can replace responses. */
export const proxiedTest = base.extend<Fixtures>({
  plainBrowser: async ({ launchOptions }, provide) => {
    const browser = await openPlainBrowser(launchOptions.args ?? []);
    await provide(browser);
    await browser.close();
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  reverseProxy: async ({}, provide) => {
    const reverseProxy = await startReverseProxy();
    await provide(reverseProxy);
    await reverseProxy.close().catch(() => undefined);
  },
  server: async ({ server, reverseProxy }, provide) => {
    reverseProxy.target = Number(new URL(server.url).port);
    await provide({ ...server, url: reverseProxy.url });
  },
});
