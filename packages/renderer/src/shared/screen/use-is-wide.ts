import { UI } from '@parley/contract';
import { useMediaQuery } from '../../ui/use-media-query.ts';

/** Whether the chats and what is open stand side by side. */
export function useIsWide(): boolean {
  return useMediaQuery(`(min-width: ${UI.desktopBreakpoint}px)`);
}
