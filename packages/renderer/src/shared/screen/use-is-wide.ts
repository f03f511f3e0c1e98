import { UI } from '@parley/contract';
import { useMediaQuery } from '../../ui/use-media-query.ts';

/** Returns whether the chat list and the open screen are side by side. */
export function useIsWide(): boolean {
  return useMediaQuery(`(min-width: ${UI.desktopBreakpoint}px)`);
}
