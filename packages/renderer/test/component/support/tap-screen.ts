import type { BrowserCommand } from 'vitest/node';

declare module 'vitest/browser' {
  interface BrowserCommands {
    tapScreen: (x: number, y: number) => Promise<void>;
  }
}

/**
 * Taps at a position in the window. Runs in Node, which sends the beginning and the end of the tap at once: sent one
 * after the other from the page, the end could come so late that the tap is a long press.
 */
export const tapScreen: BrowserCommand<[x: number, y: number]> = ({ page }, x, y) =>
  page.touchscreen.tap(x, y);
