/** What a click on the window's close button does. */
export type ClosePlan =
  /** The window goes, the app stays. */
  | 'hide'
  /** The window closes; without any other the app ends. */
  | 'close';

/** What decides about closing a window. */
export interface CloseQuestion {
  platform: NodeJS.Platform;
  isQuitting: boolean;
  /** A tray is really there: without one a hidden window could not be found again. */
  hasTray: boolean;
  closeToTray: boolean;
  /** Another window of the app can be seen or is in the taskbar. */
  hasVisibleOthers: boolean;
}

/** A window is hidden rather than closed wherever messages shall go on arriving. */
export function planClose(question: CloseQuestion): ClosePlan {
  if (question.isQuitting) return 'close';
  // On a Mac the app goes on without windows and comes back from the dock.
  if (question.platform === 'darwin') return 'hide';
  if (question.hasVisibleOthers) return 'hide';
  return question.hasTray && question.closeToTray ? 'hide' : 'close';
}
