import { expect, test } from 'vitest';
import { planBadge } from './badge-plan.ts';
import { createUnreadCounts } from './unread-counts.ts';

const more = { count: 3, previousCount: 1, isFocused: false };

test('shows a number on macOS and Linux and an overlay icon on Windows, never both', () => {
  expect(planBadge({ ...more, platform: 'darwin' })).toEqual({
    count: 3,
    hasOverlay: undefined,
    shouldFlash: false,
  });
  expect(planBadge({ ...more, platform: 'linux' })).toEqual({
    count: 3,
    hasOverlay: undefined,
    shouldFlash: true,
  });
  expect(planBadge({ ...more, platform: 'win32' })).toEqual({
    count: undefined,
    hasOverlay: true,
    shouldFlash: true,
  });
});

test('flashes the taskbar button only for new messages in a window without the focus', () => {
  expect(planBadge({ ...more, platform: 'win32', isFocused: true }).shouldFlash).toBe(false);
  expect(planBadge({ ...more, platform: 'win32', count: 1 }).shouldFlash).toBe(false);
  expect(planBadge({ ...more, platform: 'linux', count: 0 })).toMatchObject({
    count: 0,
    shouldFlash: false,
  });
  expect(planBadge({ ...more, platform: 'win32', count: 0 }).hasOverlay).toBe(false);
});

test('adds up the counts of all servers', () => {
  const counts = createUnreadCounts();
  counts.set('a', 2);
  counts.set('b', 5);
  expect(counts.total()).toBe(7);
  counts.set('a', 0);
  expect([counts.of('a'), counts.of('b'), counts.total()]).toEqual([0, 5, 5]);
});
