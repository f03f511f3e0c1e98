import type { BrowserWindow } from 'electron';

/** Hides a window. On macOS one in full screen has to leave it first, or its black space stays behind. */
export function hideWindow(window: BrowserWindow, platform = process.platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
