/** The way in which a system shows the unread count. */
export interface BadgePlan {
  /** Number for the dock or launcher; `undefined` if the system shows none. */
  count: number | undefined;
  /** Whether the taskbar shows an overlay icon; `undefined` if the system has none. */
  hasOverlay: boolean | undefined;
  /** Whether the taskbar button flashes. */
  shouldFlash: boolean;
}

/** The facts that decide how the badge looks. */
export interface BadgeState {
  platform: NodeJS.Platform;
  count: number;
  /** The previous count. */
  previousCount: number;
  isFocused: boolean;
}

/** Decides how to show a count. Windows gets only the overlay icon, as a number would add a second badge. */
export function planBadge({ platform, count, previousCount, isFocused }: BadgeState): BadgePlan {
  const hasTaskbar = platform === 'win32' || platform === 'linux';
  return {
    count: platform === 'win32' ? undefined : count,
    hasOverlay: platform === 'win32' ? count > 0 : undefined,
    shouldFlash: hasTaskbar && !isFocused && count > previousCount,
  };
}
