import { useEffect } from 'react';
import { preloadScreens, type ScreenLoader } from '../../routes/screens.ts';

/** How long the screen that was wanted has the network for itself, in milliseconds. */
const PRELOAD_DELAY = 1_500;

/** Fetches screens that may be wanted next, a moment after the one that is. */
export function usePreloadScreens(screens: Record<string, ScreenLoader>, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const timer = setTimeout(() => void preloadScreens(screens), PRELOAD_DELAY);
    return () => clearTimeout(timer);
  }, [screens, isEnabled]);
}
