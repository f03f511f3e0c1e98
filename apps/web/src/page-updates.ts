import type { PageUpdates } from '@parley/renderer/host';
import { serviceWorkers } from './service-workers.ts';
import { POINTER_CACHE } from './worker-contract.ts';

// The page's side of `service-worker/`. Once a new version is cached, the page uses it from its next start
// on.

const SCRIPT = '/service-worker.js';
/** The longest time that a reload waits for the check for a new version. Milliseconds. */
const CHECK_MAX = 10_000;
/** The longest time that a reload waits for the new version to be cached. Milliseconds. */
const INSTALLATION_MAX = 15_000;

/** Registers the service worker once the page has loaded. Returns undefined if it is not supported. */
export function createPageUpdates(): PageUpdates | undefined {
  const workers = serviceWorkers();
  if (!workers || !import.meta.env.PROD) return undefined;
  const listeners = new Set<() => void>();
  let isReady = false;
  const announce = (): void => {
    isReady = true;
    for (const listener of listeners) listener();
  };

  afterLoad(() => {
    // Some private windows forbid service workers. The application works without them.
    register(workers, announce).catch(() => undefined);
  });

  return {
    check: async () => {
      const registration = await workers.getRegistration().catch(() => undefined);
      await registration?.update().catch(() => undefined);
    },
    onReady: (listener) => {
      listeners.add(listener);
      if (isReady) listener();
      return () => void listeners.delete(listener);
    },
    reload: async () => {
      await keepNewest(workers).catch(() => undefined);
      location.reload();
    },
  };
}

function afterLoad(run: () => void): void {
  if (document.readyState === 'complete') run();
  else window.addEventListener('load', run, { once: true });
}

async function register(workers: ServiceWorkerContainer, onReady: () => void): Promise<void> {
  // Chromium revives a worker that has just unregistered itself if the page registers it again.
  const registration = workers.controller
    ? await workers.getRegistration()
    : await workers.register(SCRIPT, { updateViaCache: 'none' });
  if (!registration) return;
  const watch = (worker: ServiceWorker | null): void => {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && registration.active) onReady();
    });
  };
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}

/** Caches the newest version for the next start. Changes nothing without a connection. */
async function keepNewest(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  if (!registration) return;
  const worker = await findNewest(registration);
  if (!worker) return;
  try {
    await Promise.race([untilInstalled(worker), timeout(INSTALLATION_MAX)]);
  } catch {
    // Until a version can be cached, pages come from the server.
    await (await caches.open(POINTER_CACHE)).put('/', new Response(''));
  }
}

/** Checks the server for a newer version. Resolves to its worker, or to undefined if there is none. */
async function findNewest(
  registration: ServiceWorkerRegistration,
): Promise<ServiceWorker | undefined> {
  const found: (ServiceWorker | null)[] = [];
  const collect = (): void => void found.push(registration.installing);
  // Records the worker, because after a quick installation `installing` is null when `update` resolves.
  registration.addEventListener('updatefound', collect);
  try {
    await Promise.race([registration.update(), timeout(CHECK_MAX)]);
    return registration.installing ?? found.at(-1) ?? undefined;
  } finally {
    registration.removeEventListener('updatefound', collect);
  }
}

/**
 * Resolves once a worker has cached its version.
 * @throws if the browser discarded the worker
 */
function untilInstalled(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (worker.state === 'redundant') reject(new Error('the service worker was discarded'));
      else if (worker.state !== 'installing') resolve();
    };
    worker.addEventListener('statechange', check);
    check();
  });
}

function timeout(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('timed out')), ms);
  });
}
