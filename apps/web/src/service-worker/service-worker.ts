import { findEndpoint, isServerPath } from '@parley/contract';

// Keeps the files of one build, so that the application starts without a connection, and a page goes on
// loading its own build after the server was upgraded. It answers nothing else: no API, no media.

/** The files of this build. `scripts/service-worker-plugin.ts` puts it here. */
declare const BUILD: {
  /** Changes with every file. */
  readonly version: string;
  /** Paths of what is kept. */
  readonly kept: readonly string[];
  /** Paths of the other files outside `/assets`: what opens one of them wants no screen. */
  readonly others: readonly string[];
};
declare const self: ServiceWorkerGlobalScope;

const PREFIX = 'parley-shell-';
const { version, kept, others } = BUILD;
const CACHE = PREFIX + version;
const PAGE = '/index.html';
const KEPT = new Set(kept);
const OTHERS = new Set(others);

self.addEventListener('install', (event) => {
  event.waitUntil(fillCache());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});
self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting());
  if (event.data === 'activate-if-alone') event.waitUntil(activateIfAlone(event.ports[0]));
});
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (mode === 'navigate') {
    if (!isScreen(pathname)) return;
    event.respondWith(respond(event.request, PAGE));
    void leaveIfGone();
  } else if (isAsset(pathname) || KEPT.has(pathname)) {
    event.respondWith(respond(event.request, pathname));
  }
});

/** Whether the name of a file changes with its content. */
function isAsset(path: string): boolean {
  return path.startsWith('/assets/');
}

/** Whether the server would respond with the application's page, too. */
function isScreen(path: string): boolean {
  const isServers = isServerPath(path) || findEndpoint('GET', path) !== undefined;
  return !isServers && !isAsset(path) && !OTHERS.has(path) && (!KEPT.has(path) || path === PAGE);
}

async function respond(request: Request, path: string): Promise<Response> {
  const response =
    (await inCache(CACHE, path)) ?? (isAsset(path) ? await inAnyCache(path) : undefined);
  return response ?? fetch(request);
}

function inCache(cacheName: string, path: string): Promise<Response | undefined> {
  // Every browser gets the same content, however it was compressed.
  return caches.match(path, { cacheName, ignoreVary: true });
}

function inAnyCache(path: string): Promise<Response | undefined> {
  return caches.match(path, { ignoreVary: true });
}

async function fillCache(): Promise<void> {
  const cache = await caches.open(CACHE);
  // One after the other: the page that is open has the network first.
  for (const path of kept) {
    const known = isAsset(path) ? await inAnyCache(path) : undefined;
    await cache.put(path, known ?? (await load(path)));
  }
}

async function load(path: string): Promise<Response> {
  const response = await fetch(path, { cache: isAsset(path) ? 'default' : 'reload' });
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
  if (path === PAGE) await checkPage(response.clone());
  return response;
}

/** Rejects if the server was upgraded in between, and its page belongs to another build. */
async function checkPage(page: Response): Promise<void> {
  for (const [, path = ''] of (await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)) {
    if (!KEPT.has(path)) throw new Error(`${path} is of another build`);
  }
}

async function removeOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  // Other tabs still run the version before, and load the rest of it when they need it.
  if ((await countPages()) > 1) old.pop();
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function activateIfAlone(reply: MessagePort | undefined): Promise<void> {
  const isAlone = (await countPages()) <= 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
  reply?.postMessage(isAlone);
  if (isAlone) await self.skipWaiting();
}

async function countPages(): Promise<number> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.length;
}

/** Unregisters where the server has no such worker any more: nobody gets stuck with a page that is gone. */
async function leaveIfGone(): Promise<void> {
  const script = await fetch(self.location.href, { cache: 'no-cache' }).catch(() => undefined);
  if (script?.status !== 404 && script?.status !== 410) return;
  await self.registration.unregister();
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
}
