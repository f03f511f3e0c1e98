import { findEndpoint, isServerPath } from '@parley/contract';

// Caches the files of the builds in use, so that the application starts without a connection and an open
// page can load the rest of its own build after a server upgrade. Leaves all other requests, such as API
// calls and media, to the network.
//
// A page starts as the build that was cached last, whichever worker is active: browsers may take minutes
// to activate a new one. Files below `/assets` have the hash of their content in their name, so each page
// finds those of its own build.

/** The files of this build. `scripts/service-worker-plugin.ts` puts it here. */
declare const BUILD: {
  /** Changes whenever a file changes. */
  readonly version: string;
  /** Paths of the files to cache. */
  readonly kept: readonly string[];
  /** Paths of the other files outside `/assets`; navigations to them go to the server. */
  readonly others: readonly string[];
};
declare const self: ServiceWorkerGlobalScope;

/**
 * The cache with one entry, which names the cache of the build that pages start as. An empty name makes
 * pages come from the server.
 */
const POINTER = 'parley-shell';
const PREFIX = 'parley-shell-';
/** The number of builds before the current one that are kept for open tabs. */
const PREVIOUS_MAX = 2;
const { version, kept, others } = BUILD;
const CACHE = PREFIX + version;
const PAGE = '/index.html';
const KEPT = new Set(kept);
const OTHERS = new Set(others);

self.addEventListener('install', (event) => {
  event.waitUntil(keepBuild().then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => {
  // The cache of a worker that is installing is not the current one yet and must not be removed.
  const isFilling = self.registration.installing !== null;
  const cleaned = isFilling ? Promise.resolve() : removeOldCaches();
  event.waitUntil(cleaned.then(() => self.clients.claim()));
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

/** Returns whether the name of a file changes with its content. */
function isAsset(path: string): boolean {
  return path.startsWith('/assets/');
}

/** Returns whether the server, too, would respond with the application's page. */
function isScreen(path: string): boolean {
  const isServers = isServerPath(path) || findEndpoint('GET', path) !== undefined;
  return !isServers && !isAsset(path) && !OTHERS.has(path) && (!KEPT.has(path) || path === PAGE);
}

async function respond(request: Request, path: string): Promise<Response> {
  const cacheName = isAsset(path) ? undefined : await currentCache();
  return (await findKept(path, cacheName)) ?? fetch(request);
}

/** Finds a file in the named cache, or in any cache. */
function findKept(path: string, cacheName?: string): Promise<Response | undefined> {
  // The content does not depend on request headers; only its compression does.
  return caches.match(path, { ignoreVary: true, ...(cacheName !== undefined && { cacheName }) });
}

async function currentCache(): Promise<string> {
  const pointer = await caches.match('/', { cacheName: POINTER });
  return pointer?.text() ?? CACHE;
}

async function keepBuild(): Promise<void> {
  const cache = await caches.open(CACHE);
  // One at a time, so that the open page's own requests go first.
  for (const path of kept) {
    const known = isAsset(path) ? await findKept(path) : undefined;
    await cache.put(path, known ?? (await load(path)));
  }
  await (await caches.open(POINTER)).put('/', new Response(CACHE));
  await removeOldCaches();
}

async function load(path: string): Promise<Response> {
  const response = await fetch(path, { cache: isAsset(path) ? 'default' : 'reload' });
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
  if (path === PAGE) await checkPage(response.clone());
  return response;
}

/**
 * Checks that the server's page belongs to this build.
 * @throws if the server was upgraded during the installation
 */
async function checkPage(page: Response): Promise<void> {
  for (const [, path = ''] of (await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)) {
    if (!KEPT.has(path)) throw new Error(`${path} is of another build`);
  }
}

async function removeOldCaches(): Promise<void> {
  const current = await currentCache();
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== current);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const unused = pages.length > 0 ? old.slice(0, -PREVIOUS_MAX) : old;
  await Promise.all(unused.map((name) => caches.delete(name)));
}

/** Unregisters this worker if the server no longer has one, so that users get the server's page again. */
async function leaveIfGone(): Promise<void> {
  const script = await fetch(self.location.href, { cache: 'no-cache' }).catch(() => undefined);
  if (script?.status !== 404 && script?.status !== 410) return;
  await self.registration.unregister();
  const names = (await caches.keys()).filter((name) => name.startsWith(POINTER));
  await Promise.all(names.map((name) => caches.delete(name)));
}
