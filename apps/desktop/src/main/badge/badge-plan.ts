/** What a system does to show how much is unread. */
export interface BadgePlan {
  /** Number for the dock or launcher; `undefined` where the system has none. */
  count: number | undefined;
  /** Whether the taskbar's small picture is shown; `undefined` where there is none. */
  overlay: boolean | undefined;
  /** The taskbar's button asks for attention. */
  flash: boolean;
}

/** What decides about the badge. */
export interface BadgeQuestion {
  platform: NodeJS.Platform;
  count: number;
  before: number;
  isFocused: boolean;
}

/** Decides how to show a count. Windows never gets a number and a picture: that would be two badges. */
export function planBadge({ platform, count, before, isFocused }: BadgeQuestion): BadgePlan {
  const hasTaskbar = platform === 'win32' || platform === 'linux';
  return {
    count: platform === 'win32' ? undefined : count,
    overlay: platform === 'win32' ? count > 0 : undefined,
    flash: hasTaskbar && !isFocused && count > before,
  };
}
