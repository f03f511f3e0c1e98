const KEY = 'parley.trail';

/** The part of the router that the trail follows. */
interface TrailSource {
  state: { location: { pathname: string; key: string } };
  subscribe: (listener: (state: TrailSource['state']) => void) => () => void;
}

/**
 * Notes the path of each history entry of this tab, as browsers do not tell it. Kept in the session
 * storage, so that it survives a reload.
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

/** Whether the user has gone anywhere since the page was loaded. */
export function hasNavigated(): boolean {
  return hasMoved;
}

/** Whether going back one entry leads to this path. */
export function isPreviousPath(path: string): boolean {
  const index = currentIndex();
  return index > 0 && readTrail()[index - 1] === path;
}

function recordPath(pathname: string): void {
  const index = currentIndex();
  const trail = readTrail();
  if (trail[index] === pathname) return;
  // Behind a new entry there is nothing any more.
  const next = [...trail.slice(0, index), pathname];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without it, the way back is a new entry.
  }
}

/** Number of the entry within this tab, as the router keeps it. */
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
