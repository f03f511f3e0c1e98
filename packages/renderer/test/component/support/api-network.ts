import { endpointPath, isServerPath, serverRoots } from '@parley/contract';
import type { MemoryBrowser } from '@parley/memory-server';
import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';
import { MemorySocket } from './memory-socket.ts';
import workerUrl from './api-worker.js?url';
import { addPageError } from './page-errors.ts';

/** The browser that sends the requests of the page; undefined while no app is open. */
let browser: MemoryBrowser | undefined;
let connected = Promise.withResolvers<void>();
/** Responds to requests of another host; undefined while there is none. */
let otherHost: ((request: Request) => Response) | undefined;
let starting: Promise<unknown> | undefined;

// At once, as Socket.IO reads the class when it is loaded.
window.WebSocket = new Proxy(WebSocket, {
  construct: (RealWebSocket, [url, protocols]: [string, string[]?]) =>
    isServerPath(new URL(url).pathname)
      ? new MemorySocket(browser, connected.resolve)
      : new RealWebSocket(url, protocols),
});

/**
 * Lets a service worker pass the page's requests of the API to the browser in use, also those of images, audio and
 * uploads.
 */
export async function startApiNetwork(): Promise<void> {
  starting ??= createWorker().start({
    quiet: true,
    onUnhandledFrame: 'bypass',
    serviceWorker: { url: workerUrl, options: { scope: '/' } },
  });
  await starting;
}

/** Lets a browser of the memory server send the requests of the page from now on. */
export function routeRequests(next: MemoryBrowser): void {
  browser = next;
  connected = Promise.withResolvers();
}

/** Lets another host respond to requests until the app is closed. */
export function addOtherHost(respond: (request: Request) => Response): void {
  otherHost = respond;
}

/** Refuses all requests, and waits for those that the page has sent, which the next browser must not receive. */
export async function refuseRequests(): Promise<void> {
  browser = undefined;
  otherHost = undefined;
  // It overtakes no other.
  await fetch(endpointPath('getConfig')).catch(() => undefined);
}

/** Resolves once the page has a live connection since the last call of `routeRequests`. */
export function whenConnected(): Promise<void> {
  return connected.promise;
}

function createWorker() {
  return setupWorker(
    ...serverRoots().map((root) =>
      http.all(`${location.origin}${root}/*`, ({ request }) => forward(request)),
    ),
    http.all(isForeign, ({ request }) => {
      if (otherHost) return otherHost(request);
      addPageError(`foreign request: ${request.url}`);
      return HttpResponse.error();
    }),
  );
}

function isForeign({ request }: { request: Request }): boolean {
  const { origin, protocol } = new URL(request.url);
  return origin !== location.origin && /^https?:$/.test(protocol);
}

async function forward(request: Request): Promise<Response> {
  try {
    return browser ? await browser.fetch(request) : HttpResponse.error();
  } catch (error) {
    // The server cannot be reached.
    if (error instanceof TypeError) return HttpResponse.error();
    throw error;
  }
}
