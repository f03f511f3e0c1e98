import type { SavedBounds } from '../settings/settings.ts';

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Smallest size of a window. Pixels. */
export const MIN_SIZE = { width: 360, height: 480 } as const;
const DEFAULT_SIZE = { width: 1120, height: 780 } as const;
/** Part of the title bar that has to be visible. Pixels. */
const GRIP = { width: 120, height: 32 } as const;
/** How far the title bar may reach beyond the upper edge, where a user can have dragged it. Pixels. */
const SLACK = 8;

/** Size of a new window, and its position unless the system should choose one. */
export type OpeningBounds = { width: number; height: number; x?: number; y?: number };

/**
 * Returns the bounds of a new window. Uses saved bounds only if their title bar is visible on one of the
 * current screens. No window is larger than its screen.
 * @param workAreas the work areas of the screens, the primary one first
 */
export function getOpeningBounds(
  saved: SavedBounds | undefined,
  workAreas: readonly Area[],
): OpeningBounds {
  const main = workAreas[0];
  const screen = saved && workAreas.find((area) => isInReach(saved, area));
  if (saved === undefined || screen === undefined) return fit(saved ?? DEFAULT_SIZE, main);
  return { x: saved.x, y: saved.y, ...fit(saved, screen) };
}

function fit(size: { width: number; height: number }, area: Area | undefined) {
  return {
    width: Math.max(MIN_SIZE.width, Math.min(size.width, area?.width ?? size.width)),
    height: Math.max(MIN_SIZE.height, Math.min(size.height, area?.height ?? size.height)),
  };
}

function isInReach(bounds: Area, area: Area): boolean {
  const visible =
    Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const isTopInside = bounds.y >= area.y - SLACK && bounds.y + GRIP.height <= area.y + area.height;
  return isTopInside && visible >= Math.min(GRIP.width, bounds.width);
}
