/** The caches and databases of the service worker that passes the requests on. */
const OF_SERVICE_WORKER = /^msw\b/;

/** React adds this listener to a document only once. */
const PERMANENT_EVENT = 'selectionchange';

type ListenerArguments = Parameters<EventTarget['addEventListener']>;

/** Removes what the app has added to the page so far; undefined while no app is open. */
let removals: (() => void)[] | undefined;

// At once, so that fake timers replace these functions and bring them back.
watchListeners(window);
watchListeners(document);
watchTimers();

function watchListeners(
  target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
): void {
  const { addEventListener } = target;
  target.addEventListener = (...args: ListenerArguments) => {
    if (args[0] !== PERMANENT_EVENT) removals?.push(() => target.removeEventListener(...args));
    addEventListener.apply(target, args);
  };
}

function watchTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const { [name]: start } = window;
    const watched = (handler: TimerHandler, ms?: number, ...args: unknown[]): number => {
      const id = start(handler, ms, ...args);
      removals?.push(() => clearTimeout(id));
      return id;
    };
    Object.assign(window, { [name]: watched });
  }
}

/** Records what an app adds to the page that outlasts it. Resolves once the returned function has removed it. */
export function trackPageState(): () => Promise<void> {
  removals = [];
  const { title, documentElement: root } = document;
  const { href: url } = location;
  const attributes = Array.from(root.attributes, ({ name, value }) => [name, value] as const);
  return async () => {
    for (const remove of removals ?? []) remove();
    removals = undefined;
    document.title = title;
    for (const name of root.getAttributeNames()) root.removeAttribute(name);
    for (const [name, value] of attributes) root.setAttribute(name, value);
    document.adoptedStyleSheets = [];
    getSelection()?.removeAllRanges();
    history.replaceState(null, '', url);
    localStorage.clear();
    sessionStorage.clear();
    // The end of a session is followed by an erasure.
    await navigator.locks.request('parley.owner', () => undefined);
    await Promise.all([deleteDatabases(), deleteCaches()]);
  };
}

async function deleteDatabases(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    if (OF_SERVICE_WORKER.test(name)) continue;
    const deleted = Promise.withResolvers<void>();
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => deleted.resolve());
    request.addEventListener('error', () => deleted.reject(request.error));
    await deleted.promise;
  }
}

async function deleteCaches(): Promise<void> {
  const names = await caches.keys();
  const found = names.filter((name) => !OF_SERVICE_WORKER.test(name));
  await Promise.all(found.map((name) => caches.delete(name)));
}
