import type { BrowserWindow } from 'electron';

/** Hides a window. On macOS it leaves full screen first, as it would leave a black space behind. */
export function hideWindow(window: BrowserWindow, platform = process.platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
