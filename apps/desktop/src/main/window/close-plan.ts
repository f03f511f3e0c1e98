/** What closing a window does. */
export type ClosePlan =
  /** Hides the window and keeps the app running. */
  | 'hide'
  /** Closes the window. Without another one the app quits. */
  | 'close';

/** What `planClose` decides by. */
export interface CloseContext {
  platform: NodeJS.Platform;
  isQuitting: boolean;
  /** Whether a tray exists. Without one the user could not bring a hidden window back. */
  hasTray: boolean;
  closeToTray: boolean;
  /** Whether another window of the app is visible or in the taskbar. */
  hasVisibleOthers: boolean;
}

/** Decides whether to hide or close a window. A hidden one still receives messages. */
export function planClose(context: CloseContext): ClosePlan {
  if (context.isQuitting) return 'close';
  // On macOS the app keeps running without windows, and the dock brings one back.
  if (context.platform === 'darwin') return 'hide';
  if (context.hasVisibleOthers) return 'hide';
  return context.hasTray && context.closeToTray ? 'hide' : 'close';
}
