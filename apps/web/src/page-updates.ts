import type { PageUpdates } from '@parley/renderer/host';

// The page's side of `service-worker/`: a new version waits until it takes over at the next start or when
// the user wants it.

const SCRIPT = '/service-worker.js';
/** How long a start waits for a new version to take over. Milliseconds. */
const START_MAX = 5_000;
/** How long a reload waits for the server to name the newest version. Milliseconds. */
const CHECK_MAX = 5_000;
/** How long a reload waits for that version to be fetched and to take over. Milliseconds. */
const ACTIVATION_MAX = 15_000;

/** The service workers of this page; missing without https and where the browser forbids them. */
function serviceWorkers(): ServiceWorkerContainer | undefined {
  const browser: Partial<Pick<Navigator, 'serviceWorker'>> = navigator;
  return browser.serviceWorker;
}

/**
 * Lets a version that waits take over if no other tab is open, and reloads the page to start it.
 * Resolves to whether the page is about to reload. Never rejects.
 */
export async function startNewVersion(): Promise<boolean> {
  const workers = serviceWorkers();
  if (!workers?.controller) return false;
  try {
    const waiting = (await workers.getRegistration())?.waiting;
    if (!waiting || !(await Promise.race([activateIfAlone(waiting), timeout(START_MAX)]))) {
      return false;
    }
  } catch {
    // The version of before starts; the user is offered the new one.
    return false;
  }
  location.reload();
  return true;
}

/** Registers the service worker once the page has loaded; undefined where there are none. */
export function createPageUpdates(): PageUpdates | undefined {
  const workers = serviceWorkers();
  if (!workers || !import.meta.env.PROD) return undefined;
  const listeners = new Set<() => void>();
  let isReady = false;
  const announce = (): void => {
    isReady = true;
    for (const listener of listeners) listener();
  };

  const isFirstVersion = !workers.controller;
  workers.addEventListener('controllerchange', () => {
    // Another tab started a newer version than this page runs.
    if (!isFirstVersion) announce();
  });
  afterLoad(() => {
    // Forbidden in some private windows: the application works without.
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
      await activateNewest(workers).catch(() => undefined);
      location.reload();
    },
  };
}

function afterLoad(run: () => void): void {
  if (document.readyState === 'complete') run();
  else window.addEventListener('load', run, { once: true });
}

async function register(workers: ServiceWorkerContainer, onReady: () => void): Promise<void> {
  // Chromium revives a worker that has just unregistered itself if its page registers it again.
  const registration = workers.controller
    ? await workers.getRegistration()
    : await workers.register(SCRIPT, { updateViaCache: 'none' });
  if (!registration) return;
  const watch = (worker: ServiceWorker | null): void => {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && registration.active) onReady();
    });
  };
  if (registration.waiting && registration.active) onReady();
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}

/** Fetches the newest version and lets it take over; without a connection, the one that waits already. */
async function activateNewest(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  if (!registration) return;
  await Promise.race([registration.update(), timeout(CHECK_MAX)]).catch(() => undefined);
  const newest = registration.installing ?? registration.waiting;
  if (!newest) return;
  try {
    await Promise.race([activate(newest), timeout(ACTIVATION_MAX)]);
  } catch {
    // It cannot take over: the server sends the page until a worker can be registered again.
    await registration.unregister();
  }
}

async function activate(worker: ServiceWorker): Promise<void> {
  await reachState(worker, 'installed');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
  worker.postMessage('activate');
  await reachState(worker, 'activated');
}

async function activateIfAlone(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<boolean>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data === true), { once: true });
    port1.start();
  });
  worker.postMessage('activate-if-alone', [port2]);
  const isActivating = await reply;
  if (isActivating) await reachState(worker, 'activated');
  return isActivating;
}

const STATES: readonly ServiceWorkerState[] = [
  'installing',
  'installed',
  'activating',
  'activated',
];

/** Resolves once a worker has got as far as `wanted`. Rejects if it was discarded. */
function reachState(worker: ServiceWorker, wanted: ServiceWorkerState): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (worker.state === 'redundant') reject(new Error('the service worker was discarded'));
      else if (STATES.indexOf(worker.state) >= STATES.indexOf(wanted)) resolve();
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
