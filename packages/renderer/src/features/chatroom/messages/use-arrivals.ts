import { useEffect, useState } from 'react';
import type { TimelineRow } from './timeline.ts';

/** Messages that arrive at once in larger numbers were missed, and are not animated. */
const ARRIVALS_MAX = 3;

/** Longer than the animation: a row that is rendered anew later is not animated again. */
const ARRIVAL_MS = 500;

const NONE: ReadonlySet<string> = new Set();

/**
 * Tracks which rows to animate: those that are added at the end of the list while it is open.
 * @param isDetached whether the list does not end at the newest message, so that others are loaded there
 * @returns the keys of the rows that have just been sent or received
 */
export function useArrivals(
  rows: readonly TimelineRow[],
  isDetached: boolean,
): ReadonlySet<string> {
  const [previous, setPrevious] = useState({ rows, isDetached });
  const [arrivedKeys, setArrivedKeys] = useState(NONE);
  if (previous.rows !== rows || previous.isDetached !== isDetached) {
    setPrevious({ rows, isDetached });
    const arrived = previous.isDetached || isDetached ? [] : findArrivals(previous.rows, rows);
    if (arrived.length > 0) setArrivedKeys((keys) => new Set([...keys, ...arrived]));
  }
  useEffect(() => {
    if (arrivedKeys.size === 0) return undefined;
    const timer = setTimeout(() => setArrivedKeys(NONE), ARRIVAL_MS);
    return () => clearTimeout(timer);
  }, [arrivedKeys]);
  return arrivedKeys;
}

/** Returns the keys of the rows that were added below one that was shown before, or are the first of the list. */
function findArrivals(before: readonly TimelineRow[], rows: readonly TimelineRow[]): string[] {
  const known = new Set(before.map(({ key }) => key));
  const first = rows.findIndex(({ key }) => known.has(key));
  // In a list that was empty, only what the user has just sent is known to be new.
  const candidates = before.length === 0 ? rows.filter(({ entry }) => entry) : rows.slice(first);
  if (before.length > 0 && first === -1) return [];
  const added = candidates.filter(({ key }) => !known.has(key));
  return added.length > ARRIVALS_MAX ? [] : added.map(({ key }) => key);
}
