import { app, nativeImage, type BrowserWindow } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import { planBadge } from './badge-plan.ts';
import { createUnreadCounts } from './unread-counts.ts';

/** Windows creates the button of a shown window a moment later, and ignores an icon before. Milliseconds. */
const BUTTON_DELAY_MS = 500;

/** Shows the unread count on the dock, launcher or taskbar. */
export interface UnreadDisplay {
  set: (origin: string, count: number, picture: string | undefined) => void;
  /** Shows the count on the taskbar again, as the button of a hidden window is gone with its icon. */
  restore: (origin: string) => void;
  total: () => number;
}

/**
 * Creates the display.
 * @param onTotal called when the total of all servers may have changed
 */
export function createUnreadDisplay(
  platform: NodeJS.Platform,
  windowOf: (origin: string) => BrowserWindow | undefined,
  texts: () => Texts,
  onTotal: () => void,
): UnreadDisplay {
  const counts = createUnreadCounts();
  const pictures = new Map<string, string>();

  function showOverlay(origin: string): void {
    const picture = pictures.get(origin);
    const icon = picture === undefined ? null : nativeImage.createFromDataURL(picture);
    const description = icon === null ? '' : texts().unread(counts.of(origin));
    windowOf(origin)?.setOverlayIcon(icon, description);
  }

  return {
    total: counts.total,
    set: (origin, count, picture) => {
      const window = windowOf(origin);
      const previousCount = counts.of(origin);
      counts.set(origin, count);
      const isFocused = window?.isFocused() ?? false;
      const plan = planBadge({ platform, count, previousCount, isFocused });
      if (plan.count !== undefined) app.setBadgeCount(counts.total());
      if (plan.hasOverlay === false) pictures.delete(origin);
      else if (picture !== undefined) pictures.set(origin, picture);
      if (plan.hasOverlay !== undefined) showOverlay(origin);
      if (plan.shouldFlash) window?.flashFrame(true);
      onTotal();
    },
    restore: (origin) => {
      const show = () => pictures.has(origin) && showOverlay(origin);
      show();
      setTimeout(show, BUTTON_DELAY_MS).unref();
    },
  };
}
