import { isLinkedScreen } from '@parley/contract';
import type { MouseEvent } from 'react';
import { useHost } from '../../host/host-context.ts';
import { useOpenPath } from '../../navigation/open-path.ts';
import { isModified } from '../keyboard/key-press.ts';

/**
 * Returns the props of an element that contains texts of users. A click on a link to a screen of the app opens it in
 * this page. The browser opens all others, and those that the user opens in a new tab.
 */
export function useOwnLinks(): { onClick: (event: MouseEvent) => void } {
  const { serverOrigin } = useHost();
  const openPath = useOpenPath();
  return {
    onClick: (event) => {
      if (event.defaultPrevented || event.button !== 0 || isModified(event)) return;
      const { target } = event;
      const link = target instanceof Element && target.closest('a[target="_blank"]');
      if (!(link instanceof HTMLAnchorElement)) return;
      const { origin, pathname, search, hash } = link;
      if (origin !== serverOrigin || !isLinkedScreen(pathname)) return;
      event.preventDefault();
      openPath(pathname + search + hash);
    },
  };
}
