const KEY = 'parley.trail';

/** The part of the router that is needed to track the history. */
interface TrailSource {
  state: { location: { pathname: string; key: string } };
  subscribe: (listener: (state: TrailSource['state']) => void) => () => void;
}

/**
 * Records the path of each history entry of this tab, as browsers do not expose it. It is stored in the
 * session storage to survive a reload.
 */
export function trackHistory(router: TrailSource): void {
  const { pathname, key } = router.state.location;
  recordPath(pathname);
  router.subscribe(({ location }) => {
    hasMoved ||= location.key !== key;
    recordPath(location.pathname);
  });
}

let hasMoved = false;

/** Returns whether the user has navigated since the page was loaded. */
export function hasNavigated(): boolean {
  return hasMoved;
}

/** Returns the path of the previous history entry of this tab, if it is known. */
export function findPreviousPath(): string | undefined {
  const index = currentIndex();
  return index > 0 ? readTrail()[index - 1] : undefined;
}

/** Returns whether the previous history entry has this path. */
export function isPreviousPath(path: string): boolean {
  return findPreviousPath() === path;
}

function recordPath(pathname: string): void {
  const index = currentIndex();
  const trail = readTrail();
  if (trail[index] === pathname) return;
  // A new entry removes all entries after it.
  const next = [...trail.slice(0, index), pathname];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without a record, a link back to the previous screen adds a new entry.
  }
}

/** Returns the router's index of the current entry within this tab. */
function currentIndex(): number {
  const state: unknown = history.state;
  const index = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0;
  return typeof index === 'number' && index >= 0 ? index : 0;
}

function readTrail(): readonly string[] {
  try {
    const trail: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(trail) ? trail.map(String) : [];
  } catch {
    return [];
  }
}
