import { endpoints } from '@parley/contract';

/**
 * Lets the browser empty its cache of the server, also if the page is closed. Nothing waits for it, as Chromium
 * needs seconds. Browsers do it over HTTPS only.
 */
export function clearBrowserCache(origin: string): void {
  const { method, path } = endpoints.clearBrowserCache;
  fetch(origin + path, { method, keepalive: true, credentials: 'include' }).catch(() => undefined);
}
