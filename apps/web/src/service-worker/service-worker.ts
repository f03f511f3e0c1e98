import { findEndpoint, isServerPath } from '@parley/contract';
import { isShare, receiveShare } from './share-target.ts';
import { POINTER_CACHE } from '../worker-contract.ts';
import { listenToPush } from './push-events.ts';

// Caches the files of the builds in use, so that the application starts without a connection and an open
// page can load the rest of its own build after a server upgrade. Leaves all other requests, such as API
// calls and media, to the network.
//
// A page starts with the build that was cached last, even if an older worker is still active: browsers may
// take minutes to activate a new one. Files below `/assets` have the hash of their content in their name,
// so each page finds those of its own build.

/** The files of this build. `scripts/service-worker-plugin.ts` inserts it. */
declare const BUILD: {
  /** Changes whenever a file changes. */
  readonly version: string;
  /** The files to cache. `integrity` as in Subresource Integrity; none for the page. */
  readonly precached: readonly { readonly path: string; readonly integrity?: string }[];
  /** Files below `/assets` to cache once a page has used them. */
  readonly optional: readonly { readonly path: string; readonly integrity: string }[];
  /** Paths of the other files outside `/assets`; navigations to them go to the server. */
  readonly others: readonly string[];
};
declare const self: ServiceWorkerGlobalScope;

const PREFIX = 'parley-shell-';
/** The number of builds before the current one that are kept for open tabs. */
const PREVIOUS_MAX = 2;
const { version, precached, optional, others } = BUILD;
const CACHE = PREFIX + version;
const PAGE = '/index.html';
/** Key in the pointer cache. Its value is the time at which this worker's script was first missing. */
const MISSING_SINCE = '/gone-since';
/**
 * How long the script may be missing before this worker unregisters itself, as a proxy may respond while the
 * server is down. Milliseconds.
 */
const MISSING_MAX = 24 * 60 * 60 * 1_000;
const PRECACHED = new Set(precached.map(({ path }) => path));
const OTHERS = new Set(others);

self.addEventListener('install', (event) => {
  event.waitUntil(cacheBuild().then(() => self.skipWaiting()));
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
  if (isShare(event.request)) event.respondWith(receiveShare(event.request));
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (mode === 'navigate') {
    if (!isScreen(pathname)) return;
    event.respondWith(respond(event.request, PAGE));
    void unregisterIfRemoved();
  } else if (isAsset(pathname) || PRECACHED.has(pathname)) {
    event.respondWith(respond(event.request, pathname));
    event.waitUntil(cacheOptional((path) => path === pathname).catch(() => undefined));
  }
});
listenToPush();

/** Returns whether the name of a file changes with its content. */
function isAsset(path: string): boolean {
  return path.startsWith('/assets/');
}

/** Returns whether the server would respond to a path with the application's page. */
function isScreen(path: string): boolean {
  const isServerRoute = isServerPath(path) || findEndpoint('GET', path) !== undefined;
  return (
    !isServerRoute && !isAsset(path) && !OTHERS.has(path) && (!PRECACHED.has(path) || path === PAGE)
  );
}

async function respond(request: Request, path: string): Promise<Response> {
  // Safari's caches may fail with an internal error. The server can still respond.
  const cached = await findCached(path).catch(() => undefined);
  return cached ?? fetch(request);
}

/** Finds an asset in the caches of all builds, and any other file only in the current cache. */
async function findCached(path: string): Promise<Response | undefined> {
  // Only the compression depends on request headers, not the content.
  const options = { ignoreVary: true };
  if (isAsset(path)) return caches.match(path, options);
  return caches.match(path, { ...options, cacheName: await currentCache() });
}

async function currentCache(): Promise<string> {
  const pointer = await caches.match('/', { cacheName: POINTER_CACHE });
  return pointer?.text() ?? CACHE;
}

async function cacheBuild(): Promise<void> {
  const cache = await caches.open(CACHE);
  // One at a time, so that the open page's own requests go first.
  for (const { path, integrity } of precached) await cache.put(path, await load(path, integrity));
  // The application works without these files.
  await cacheUsedBefore().catch(() => undefined);
  await (await caches.open(POINTER_CACHE)).put('/', new Response(CACHE));
  await removeOldCaches();
}

/** Caches the optional files whose counterparts of an earlier build are cached. */
async function cacheUsedBefore(): Promise<void> {
  const used = new Set<string>();
  for (const name of await caches.keys()) {
    const requests = name.startsWith(PREFIX) ? await (await caches.open(name)).keys() : [];
    for (const { url } of requests) used.add(withoutHash(new URL(url).pathname));
  }
  await cacheOptional((path) => used.has(withoutHash(path)));
}

/** Caches the optional files that `isWanted` selects by their path. */
async function cacheOptional(isWanted: (path: string) => boolean): Promise<void> {
  for (const { path, integrity } of optional.filter((file) => isWanted(file.path))) {
    const cache = await caches.open(CACHE);
    if (!(await cache.match(path))) await cache.put(path, await load(path, integrity));
  }
}

/** Returns the path of a file below `/assets` without the hash of its content. */
function withoutHash(path: string): string {
  return path.replace(/-[\w-]{8}(?=\.\w+$)/, '');
}

/**
 * Fetches a file of this build.
 * @throws if the response is another file, such as the page of a proxy in front of the server
 */
async function load(path: string, integrity: string | undefined): Promise<Response> {
  const response = await fetch(path, {
    cache: isAsset(path) ? 'default' : 'reload',
    redirect: 'error',
    ...(integrity !== undefined && { integrity }),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${path} responded with ${response.status}`);
  }
  if (path === PAGE) await checkPage(response.clone());
  return response;
}

/**
 * Checks that the server's page belongs to this build.
 * @throws if it does not, as when the server was upgraded during the installation
 */
async function checkPage(page: Response): Promise<void> {
  const links = [...(await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  if (links.length === 0 || !links.every((path) => PRECACHED.has(path))) {
    throw new Error(`${PAGE} is of another build`);
  }
}

async function removeOldCaches(): Promise<void> {
  const current = await currentCache();
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== current);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const unused = pages.length > 0 ? old.slice(0, -PREVIOUS_MAX) : old;
  await Promise.all(unused.map((name) => caches.delete(name)));
}

/**
 * Unregisters this worker if the server no longer has one, so that users get the server's page again. A page
 * that starts without a worker registers the server's worker if there is one.
 */
async function unregisterIfRemoved(): Promise<void> {
  const script = await fetch(self.location.href, { cache: 'no-cache', redirect: 'manual' }).catch(
    () => undefined,
  );
  if (!script) return;
  const cache = await caches.open(POINTER_CACHE);
  if (script.status === 200 && isScript(script)) {
    // Otherwise, the connection stays in use until the response is garbage-collected.
    await script.body?.cancel();
    await cache.delete(MISSING_SINCE);
    return;
  }
  if (!(await isFinal(script)) && !(await isMissingForLong(cache))) return;
  await self.registration.unregister();
  const names = (await caches.keys()).filter((name) => name.startsWith(POINTER_CACHE));
  await Promise.all(names.map((name) => caches.delete(name)));
}

function isScript(response: Response): boolean {
  return response.headers.get('content-type')?.includes('javascript') === true;
}

/** Returns whether a response proves that the server has no worker: a redirect, as to a login, or Parley's own 404. */
async function isFinal(response: Response): Promise<boolean> {
  if (response.type === 'opaqueredirect') return true;
  if (response.status !== 404) {
    await response.body?.cancel();
    return false;
  }
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'not_found';
}

/** Returns whether the script has been missing for longer than `MISSING_MAX`. Records when it was first missing. */
async function isMissingForLong(cache: Cache): Promise<boolean> {
  const since = await (await cache.match(MISSING_SINCE))?.text();
  if (since === undefined) await cache.put(MISSING_SINCE, new Response(String(Date.now())));
  return since !== undefined && Date.now() - Number(since) > MISSING_MAX;
}
