import { UI } from '@parley/contract';
import { useMediaQuery } from '../../ui/use-media-query.ts';

/** Returns whether the device seems to have a hardware keyboard. */
export function useHasKeyboard(): boolean {
  return useMediaQuery(`(min-width: ${UI.desktopBreakpoint}px) and (pointer: fine)`);
}
