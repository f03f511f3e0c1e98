import { useEffect } from 'react';
import { loadAhead, type Screen } from '../../routes/screens.ts';

/** How long the screen that was wanted has the network for itself, in milliseconds. */
const PAUSE = 1_500;

/** Fetches screens that may be wanted next, a moment after the one that is. */
export function useLoadAhead(screens: Record<string, Screen>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => void loadAhead(screens), PAUSE);
    return () => clearTimeout(timer);
  }, [screens, isWanted]);
}
