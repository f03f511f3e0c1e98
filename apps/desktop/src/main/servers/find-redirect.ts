import type { ClientRequest, ClientRequestConstructorOptions } from 'electron';

const TIMEOUT_MS = 15_000;

/**
 * Returns the URL to which a server redirects a request, or undefined if it does not respond so. Electron's `fetch`
 * tells it neither for the mode `manual` nor in the URL of a response.
 * @param send creates a request of Electron in a session
 */
export async function findRedirect(
  send: (options: ClientRequestConstructorOptions) => ClientRequest,
  url: string,
): Promise<string | undefined> {
  const request = send({ url, redirect: 'manual', credentials: 'omit', cache: 'no-store' });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  request.on('redirect', (_status, _method, redirectUrl) => resolve(redirectUrl));
  request.on('response', () => resolve(undefined));
  request.on('error', () => resolve(undefined));
  request.end();
  const found = await promise;
  clearTimeout(timer);
  request.abort();
  return found;
}
