import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { MIN_SIZE, getOpeningBounds } from './bounds.ts';
import { planClose } from './close-plan.ts';

const main = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const saved = { x: 1500, y: 40, width: 1200, height: 900, maximized: false };

describe('a window', () => {
  test('opens at its last position', () => {
    expect(getOpeningBounds(saved, [main, second])).toEqual({
      x: 1500,
      y: 40,
      width: 1200,
      height: 900,
    });
  });

  test('stays where the user dragged it a little beyond the upper edge', () => {
    expect(getOpeningBounds({ ...saved, x: 100, y: 20 }, [main])).toMatchObject({ x: 100, y: 20 });
  });

  test('opens at a position that the system chooses if its screen is gone, no larger than the current screen', () => {
    expect(getOpeningBounds(saved, [main])).toEqual({ width: 1200, height: 875 });
  });

  test('opens at a position that the system chooses if its title bar would be off screen', () => {
    for (const place of [{ y: 10 }, { y: 890 }, { x: -1150 }, { x: 3340 }]) {
      expect(getOpeningBounds({ ...saved, x: 100, ...place }, [main])).not.toHaveProperty('x');
    }
  });

  test('opens in the default size on the first start', () => {
    expect(getOpeningBounds(undefined, [main])).toEqual({ width: 1120, height: 780 });
    expect(getOpeningBounds(undefined, [])).toEqual({ width: 1120, height: 780 });
  });

  test('is never smaller than its minimum size', () => {
    const number = fc.integer({ min: -5_000, max: 20_000 });
    const size = fc.integer({ min: 1, max: 20_000 });
    const any = fc.record({ x: number, y: number, width: size, height: size });
    fc.assert(
      fc.property(any, any, (bounds, area) => {
        const { width, height } = getOpeningBounds({ ...bounds, maximized: false }, [area]);
        expect(width).toBeGreaterThanOrEqual(MIN_SIZE.width);
        expect(width).toBeLessThanOrEqual(Math.max(area.width, MIN_SIZE.width));
        expect(height).toBeGreaterThanOrEqual(MIN_SIZE.height);
      }),
    );
  });
});

describe('closing a window', () => {
  const context = {
    platform: 'linux' as NodeJS.Platform,
    isQuitting: false,
    hasTray: true,
    closeToTray: true,
    hasVisibleOthers: false,
  };

  test.each([
    [{}, 'hide'],
    [{ isQuitting: true }, 'close'],
    [{ closeToTray: false }, 'close'],
    [{ hasTray: false }, 'close'],
    [{ closeToTray: false, hasVisibleOthers: true }, 'hide'],
    [{ platform: 'darwin' as const, hasTray: false, closeToTray: false }, 'hide'],
    [{ platform: 'darwin' as const, isQuitting: true }, 'close'],
    [{ platform: 'win32' as const }, 'hide'],
  ])('with %j results in %s', (changed, plan) => {
    expect(planClose({ ...context, ...changed })).toBe(plan);
  });
});
