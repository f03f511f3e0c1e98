import { app, nativeImage, type BrowserWindow } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { planBadge } from './badge-plan.ts';
import { createUnreadCounts } from './unread-counts.ts';

/** Shows the unread count on the dock, launcher or taskbar. */
export interface UnreadDisplay {
  set: (origin: string, count: number, picture: string | undefined) => void;
  total: () => number;
}

/**
 * Creates the display.
 * @param onTotal called when the total of all servers may have changed
 */
export function createUnreadDisplay(
  windowOf: (origin: string) => BrowserWindow | undefined,
  texts: () => Texts,
  onTotal: () => void,
): UnreadDisplay {
  const counts = createUnreadCounts();
  return {
    total: counts.total,
    set: (origin, count, picture) => {
      const window = windowOf(origin);
      const previousCount = counts.of(origin);
      counts.set(origin, count);
      const isFocused = window?.isFocused() ?? false;
      const plan = planBadge({ platform: process.platform, count, previousCount, isFocused });
      if (plan.count !== undefined) app.setBadgeCount(counts.total());
      if (plan.hasOverlay === true && picture !== undefined) {
        window?.setOverlayIcon(nativeImage.createFromDataURL(picture), texts().unread(count));
      } else if (plan.hasOverlay === false) {
        window?.setOverlayIcon(null, '');
      }
      if (plan.shouldFlash) window?.flashFrame(true);
      onTotal();
    },
  };
}
