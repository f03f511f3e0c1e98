/** How a system shows the unread count. */
export interface BadgePlan {
  /** Number for the dock or launcher; `undefined` where the system has none. */
  count: number | undefined;
  /** Whether the taskbar shows an overlay picture; `undefined` where there is none. */
  overlay: boolean | undefined;
  /** Whether the taskbar button flashes. */
  flash: boolean;
}

/** What the badge is decided by. */
export interface BadgeState {
  platform: NodeJS.Platform;
  count: number;
  before: number;
  isFocused: boolean;
}

/** Decides how to show a count. Windows gets only the picture, as a number would add a second badge. */
export function planBadge({ platform, count, before, isFocused }: BadgeState): BadgePlan {
  const hasTaskbar = platform === 'win32' || platform === 'linux';
  return {
    count: platform === 'win32' ? undefined : count,
    overlay: platform === 'win32' ? count > 0 : undefined,
    flash: hasTaskbar && !isFocused && count > before,
  };
}
