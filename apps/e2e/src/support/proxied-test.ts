import { startReverseProxy, type ReverseProxy } from './reverse-proxy.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

/** A `test` whose pages reach the server through a reverse proxy, which can be closed and can replace responses. */
export const proxiedTest = base.extend<{ reverseProxy: ReverseProxy }>({
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
