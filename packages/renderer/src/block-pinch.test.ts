import { expect, test } from 'vitest';
import { isTrackpadPinch } from './block-pinch.ts';

test("a trackpad's pinch is told from the browser's own zoom by wheel", () => {
  expect(isTrackpadPinch({ ctrlKey: true, deltaMode: 0, deltaY: -1.37 })).toBe(true);
  expect(isTrackpadPinch({ ctrlKey: true, deltaMode: 0, deltaY: 120 })).toBe(false);
  expect(isTrackpadPinch({ ctrlKey: true, deltaMode: 1, deltaY: 3 })).toBe(false);
  expect(isTrackpadPinch({ ctrlKey: false, deltaMode: 0, deltaY: 0.5 })).toBe(false);
});
