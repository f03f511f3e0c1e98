import { createContext, useContext } from 'react';
import { parsePath } from 'react-router-dom';
import type { RouterBackLayers } from './back-layers.ts';
import { layersOf } from './entry-state.ts';
import { screenPath, seqOfPath } from './paths.ts';

/** The part of the router that is needed. */
interface PathRouter {
  state: { location: { pathname: string; state?: unknown } };
  navigate: (path: string, options: { state: unknown; replace: boolean }) => void | Promise<void>;
}

/** Opens the path of a link or notification. */
export type OpenPath = (path: string) => void;

/** Provided by the router. */
export const OpenPathContext = createContext<OpenPath | undefined>(undefined);

/** Returns the function that opens the path of a link or notification. */
export function useOpenPath(): OpenPath {
  const open = useContext(OpenPathContext);
  if (!open) throw new Error('useOpenPath needs an OpenPathContext above it');
  return open;
}

/**
 * Opens the path of a link or notification, and closes what is above the screens. A chatroom shows its first unread
 * message then, even if it is open already, unless the path leads to a message.
 */
export async function openPath(
  router: PathRouter,
  layers: Pick<RouterBackLayers, 'closeOverlays'>,
  path: string,
): Promise<void> {
  await layers.closeOverlays();
  const { pathname, state } = router.state.location;
  const { pathname: newPathname = '' } = parsePath(path);
  // Without a second history entry of the same screen. What is open in it, such as its search, stays open.
  const replace = screenPath(newPathname) === screenPath(pathname);
  const hasMessage = seqOfPath(newPathname) !== undefined;
  await router.navigate(path, {
    state: {
      ...(replace && layersOf(state)),
      ...(!hasMessage && { unreadWantedAt: Date.now() }),
    },
    replace,
  });
}
