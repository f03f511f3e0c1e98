import type { BrowserWindow } from 'electron';

/** Hides a window. On macOS it has to leave full screen first, or a black space stays behind. */
export function hideWindow(window: BrowserWindow, platform = process.platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
