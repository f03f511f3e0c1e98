import { vibrate } from '../../../ui/haptics.ts';
import { startHoldTimer } from '../../../ui/hold-timer.ts';
import css from './ListGestures.module.css';

/** Where a row is swiped to. */
export type SwipeDirection = 'left' | 'right';

interface RowSwipeOptions {
  /** Returns whether the row of a chat can be swiped. */
  canSwipe: (id: string) => boolean;
  /** Shows the action of a direction in the space that a row uncovers, or nothing if undefined. */
  onShow: (swipe: ShownSwipe | undefined) => void;
  /** Called when the user releases a row beyond the threshold. */
  onAct: (id: string, direction: SwipeDirection) => void;
}

/** What a row uncovers while it is swiped. */
export interface ShownSwipe {
  readonly id: string;
  readonly direction: SwipeDirection;
  /** Pixels from the top of the list's content. */
  readonly top: number;
  readonly height: number;
  /** Pixels. */
  readonly width: number;
  /** Whether releasing acts. */
  readonly isReady: boolean;
}

/** Distance in pixels after which releasing a row acts. */
const SWIPE_THRESHOLD = 72;
/** Maximum distance in pixels that a row moves. */
const SWIPE_MAX = 128;
/** Movement in pixels after which a gesture is a swipe or not. */
const SLOP = 12;
/** Distance in pixels from the edges of the screen where the system's own gestures begin. */
const EDGE = 24;

interface Swipe {
  readonly pointerId: number;
  readonly row: HTMLElement;
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Whether the finger has rested for as long as a long press. */
  isHeld: boolean;
  stopTimer: () => void;
  isSwiping: boolean;
  /** Pixels to the right. */
  distance: number;
}

/**
 * Lets the user swipe rows sideways with a finger. Vertical movements scroll, a long press opens the menu, and the edges
 * of the screen belong to the system.
 */
export function listenToRowSwipe(
  scroller: HTMLElement,
  signal: AbortSignal,
  { canSwipe, onShow, onAct }: RowSwipeOptions,
): void {
  let swipe: Swipe | undefined;

  const show = ({ row, id, distance }: Swipe): void => {
    row.style.transform = `translateX(${distance}px)`;
    const box = row.getBoundingClientRect();
    onShow({
      id,
      direction: distance < 0 ? 'left' : 'right',
      top: box.top - scroller.getBoundingClientRect().top + scroller.scrollTop,
      height: box.height,
      width: Math.abs(distance),
      isReady: Math.abs(distance) >= SWIPE_THRESHOLD,
    });
  };
  const end = (): void => {
    if (!swipe) return;
    const { row, isSwiping, stopTimer } = swipe;
    swipe = undefined;
    stopTimer();
    if (!isSwiping) return;
    row.style.transform = '';
    row.classList.remove(css.swiping ?? '');
    onShow(undefined);
  };
  const handleDown = (event: PointerEvent): void => {
    end();
    const { target, pointerType, isPrimary, pointerId, clientX: x, clientY: y } = event;
    const isAtEdge = x < EDGE || x > window.innerWidth - EDGE;
    if (pointerType !== 'touch' || !isPrimary || isAtEdge || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('[data-chat]');
    const id = row?.dataset['chat'];
    if (!row || id === undefined || !canSwipe(id)) return;
    const current: Swipe = {
      pointerId,
      row,
      id,
      x,
      y,
      isHeld: false,
      // As for the menu, which then opens.
      stopTimer: startHoldTimer(() => (current.isHeld = true)),
      isSwiping: false,
      distance: 0,
    };
    swipe = current;
  };
  const handleMove = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    if (swipe?.pointerId !== pointerId) return;
    const [dx, dy] = [clientX - swipe.x, clientY - swipe.y];
    if (!swipe.isSwiping) {
      if (swipe.isHeld || Math.abs(dy) > SLOP) return end();
      if (Math.abs(dx) < SLOP || Math.abs(dx) < 2 * Math.abs(dy)) return;
      swipe.isSwiping = true;
      swipe.row.classList.add(css.swiping ?? '');
    }
    const before = Math.abs(swipe.distance);
    const moved = Math.min(SWIPE_MAX, Math.max(0, Math.abs(dx) - SLOP));
    swipe.distance = Math.sign(dx) * moved;
    if (before < SWIPE_THRESHOLD && moved >= SWIPE_THRESHOLD) vibrate();
    show(swipe);
  };
  const handleUp = ({ pointerId }: PointerEvent): void => {
    if (swipe?.pointerId !== pointerId) return;
    const { id, distance, isSwiping } = swipe;
    end();
    if (!isSwiping || Math.abs(distance) < SWIPE_THRESHOLD) return;
    onAct(id, distance < 0 ? 'left' : 'right');
  };
  scroller.addEventListener('pointerdown', handleDown, { signal });
  scroller.addEventListener('pointermove', handleMove, { signal });
  scroller.addEventListener('pointerup', handleUp, { signal });
  // The browser cancels the pointer when it scrolls.
  scroller.addEventListener('pointercancel', end, { signal });
  signal.addEventListener('abort', end);
}
