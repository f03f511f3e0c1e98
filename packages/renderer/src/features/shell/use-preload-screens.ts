import { useEffect } from 'react';
import { useLoadScreenTexts } from '../../i18n/use-language.ts';
import { preloadScreens, type ScreenLoader } from '../../routes/screens.ts';

/** Milliseconds before preloading, so that it does not compete with the current screen for the network. */
const PRELOAD_DELAY = 1_500;

/** Preloads screens and their texts a moment after the current one. */
export function usePreloadScreens(screens: Record<string, ScreenLoader>, isEnabled: boolean): void {
  const loadScreenTexts = useLoadScreenTexts();
  useEffect(() => {
    if (!isEnabled) return undefined;
    const timer = setTimeout(() => void preloadScreens(screens, loadScreenTexts), PRELOAD_DELAY);
    return () => clearTimeout(timer);
  }, [screens, isEnabled, loadScreenTexts]);
}
