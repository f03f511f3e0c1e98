/** The effect of closing a window. */
export type ClosePlan =
  /** Hides the window and keeps the app running. */
  | 'hide'
  /** Closes the window. The app quits if it was the last one. */
  | 'close';

/** The facts that decide how a window closes. */
export interface CloseContext {
  platform: NodeJS.Platform;
  isQuitting: boolean;
  /** Whether there is a tray, from which the user can show a hidden window again. */
  hasTray: boolean;
  closeToTray: boolean;
  /** Whether another window of the app is visible, is minimized or is about to appear. */
  hasVisibleOthers: boolean;
}

/** Decides whether closing a window hides it. A hidden window still receives messages. */
export function planClose(context: CloseContext): ClosePlan {
  if (context.isQuitting) return 'close';
  // On macOS, the app keeps running without windows, and a click on its dock icon shows the window again.
  if (context.platform === 'darwin') return 'hide';
  if (context.hasVisibleOthers) return 'hide';
  return context.hasTray && context.closeToTray ? 'hide' : 'close';
}
