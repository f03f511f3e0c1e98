import type { BrowserWindow } from 'electron';
import type { SavedBounds } from '../settings/settings.ts';

/** Milliseconds. Debounces the many events that moving or resizing a window emits. */
const SETTLED_MS = 500;

/**
 * Reports a window's bounds after it was moved or resized, and when it closes. Reports nothing while the
 * window is minimized or in full screen, or has never been shown.
 */
export function trackBounds(window: BrowserWindow, onChange: (bounds: SavedBounds) => void): void {
  let timer: NodeJS.Timeout | undefined;
  let wasShown = false;

  function report(): void {
    clearTimeout(timer);
    if (!wasShown || window.isMinimized() || window.isFullScreen()) return;
    onChange({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  }
  function reportSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(report, SETTLED_MS);
  }

  window.on('show', () => {
    wasShown = true;
  });
  window.on('resize', reportSoon);
  window.on('move', reportSoon);
  window.on('maximize', reportSoon);
  window.on('unmaximize', reportSoon);
  window.on('close', report);
  window.on('closed', () => clearTimeout(timer));
}

/** Hides a window. On macOS, leaves full screen first, as hiding would otherwise leave a black space behind. */
export function hideWindow(window: BrowserWindow, platform = process.platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
