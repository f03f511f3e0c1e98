import { cdp, commands, type Locator } from 'vitest/browser';

/** A position in the page, in pixels. */
type Position = readonly [x: number, y: number];

/** Returns the center of an element's box. */
export function centerOf({ x, y, width, height }: DOMRect): Position {
  return [x + width / 2, y + height / 2];
}

/** Converts a position in the page to one in the window, whose frame shows the page. */
function toWindow([x, y]: Position): { x: number; y: number } {
  const { left = 0, top = 0 } = window.frameElement?.getBoundingClientRect() ?? {};
  return { x: left + x, y: top + y };
}

/** Drags with a button of the mouse from one position to another. */
export async function dragMouse(
  from: Position,
  to: Position,
  button: 'left' | 'right' = 'left',
): Promise<void> {
  for (const [type, position] of [
    ['mouseMoved', from],
    ['mousePressed', from],
    ['mouseMoved', to],
    ['mouseReleased', to],
  ] as const) {
    const isPressed = type === 'mousePressed' || type === 'mouseReleased';
    await cdp().send('Input.dispatchMouseEvent', {
      type,
      ...toWindow(position),
      button: isPressed || position === to ? button : 'none',
      clickCount: isPressed ? 1 : 0,
    });
  }
}

async function sendTouch(
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  positions: readonly Position[],
  timestamp?: number,
): Promise<void> {
  const touchPoints = positions.map(toWindow);
  await cdp().send('Input.dispatchTouchEvent', {
    type,
    touchPoints,
    ...(timestamp !== undefined && { timestamp }),
  });
}

/** Moves one finger over the page in a straight line. Only for tests in files that end in `.touch.test.ts`. */
export async function swipeFinger(from: Position, to: Position): Promise<void> {
  // The finger rests before it is lifted. Otherwise, the browser would suppress the next tap, as it ends a fling.
  const movedAt = Date.now() / 1_000 - 1;
  const moves = [1, 2, 3, 4, 5, 6].map((step): [Position, number] => {
    const at = (axis: 0 | 1) => from[axis] + ((to[axis] - from[axis]) * step) / 6;
    return [[at(0), at(1)], movedAt + step / 100];
  });
  // Without waiting in between, which on a busy machine could take as long as a long press.
  await Promise.all([
    sendTouch('touchStart', [from], movedAt),
    ...moves.map(([position, at]) => sendTouch('touchMove', [position], at)),
  ]);
  await sendTouch('touchEnd', []);
}

/** Lifts a finger that is held down, after it may have been moved. */
interface HeldFinger {
  (): Promise<void>;
  moveTo: (to: Position) => Promise<void>;
}

/**
 * Puts a finger on the center of an element, until the returned function is called. Only for tests in files that end
 * in `.touch.test.ts`.
 */
export async function holdFinger(locator: Locator): Promise<HeldFinger> {
  const from = centerOf(locator.element().getBoundingClientRect());
  await sendTouch('touchStart', [from]);
  const moveTo = async (to: Position): Promise<void> => {
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const at = (axis: 0 | 1) => from[axis] + (to[axis] - from[axis]) * share;
      await sendTouch('touchMove', [[at(0), at(1)]]);
    }
  };
  return Object.assign(() => sendTouch('touchEnd', []), { moveTo });
}

/** Taps at a position in the page, whatever is there. Only for tests in files that end in `.touch.test.ts`. */
export async function tapAt(position: Position): Promise<void> {
  const { x, y } = toWindow(position);
  await commands.tapScreen(x, y);
}
