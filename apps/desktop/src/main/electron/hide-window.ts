import type { BrowserWindow } from 'electron';

/** Hides a window. On macOS, leaves full screen first, as hiding would otherwise leave a black space behind. */
export function hideWindow(window: BrowserWindow, platform = process.platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
