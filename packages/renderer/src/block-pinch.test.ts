import { expect, test } from 'vitest';
import { blockPinch } from './block-pinch.ts';

/** Creates a document with pinch blocking, and its window. */
function createDocument(hasFocus: boolean): { target: EventTarget; view: EventTarget } {
  const view = new EventTarget();
  const target = Object.assign(new EventTarget(), { defaultView: view, hasFocus: () => hasFocus });
  blockPinch(target as unknown as Document);
  return { target, view };
}

/** Dispatches an event and returns whether its default action was prevented. */
function isBlocked(target: EventTarget, type: string, fields: object): boolean {
  const event = Object.assign(new Event(type, { cancelable: true }), fields);
  return !target.dispatchEvent(event);
}

const wheel = (deltaY: number, deltaMode = 0) => ({ ctrlKey: true, deltaMode, deltaY });

test.each([-1.37, 4, -10, 60])(
  'blocks a trackpad pinch, reported as a Ctrl+wheel event of %d pixels without Ctrl pressed',
  (deltaY) => {
    const { target } = createDocument(true);
    expect(isBlocked(target, 'wheel', wheel(deltaY))).toBe(true);
  },
);

test.each([120, 3, 90.909])('allows zooming with Ctrl and a mouse wheel by %d pixels', (deltaY) => {
  const { target } = createDocument(true);
  isBlocked(target, 'keydown', { ctrlKey: true });
  expect(isBlocked(target, 'wheel', wheel(deltaY))).toBe(false);
});

test('allows zooming with the mouse wheel if Ctrl was pressed while another window had the focus', () => {
  const { target } = createDocument(false);
  expect(isBlocked(target, 'wheel', wheel(-100))).toBe(false);
  expect(isBlocked(target, 'wheel', wheel(3, 1))).toBe(false);
  expect(isBlocked(target, 'wheel', wheel(-4))).toBe(true);
  isBlocked(target, 'pointermove', { ctrlKey: true });
  expect(isBlocked(target, 'wheel', wheel(-4))).toBe(false);
});

test('blocks pinching again once Ctrl is released or the window loses the focus', () => {
  const { target, view } = createDocument(true);
  isBlocked(target, 'keydown', { ctrlKey: true });
  isBlocked(target, 'keyup', { ctrlKey: false });
  expect(isBlocked(target, 'wheel', wheel(120))).toBe(true);
  isBlocked(target, 'keydown', { ctrlKey: true });
  isBlocked(view, 'blur', {});
  expect(isBlocked(target, 'wheel', wheel(120))).toBe(true);
});

test('allows scrolling without Ctrl and single-finger gestures', () => {
  const { target } = createDocument(true);
  expect(isBlocked(target, 'wheel', { ...wheel(0.5), ctrlKey: false })).toBe(false);
  expect(isBlocked(target, 'touchmove', { touches: [1] })).toBe(false);
  expect(isBlocked(target, 'touchmove', { touches: [1, 2] })).toBe(true);
});
