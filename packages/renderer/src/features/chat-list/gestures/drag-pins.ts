import { vibrate } from '../../../ui/haptics.ts';
import { startHoldTimer } from '../../../ui/hold-timer.ts';
import css from './ListGestures.module.css';

/** What dragging needs of the list. */
interface PinDragOptions {
  /** Returns the ids of the pinned chats in their order. */
  getPinned: () => readonly string[];
  /** Called when a chat begins to follow the pointer. */
  onLift: (id: string) => void;
  /** Called when the user drops a chat in another place among the pinned ones, beginning with 0. */
  onDrop: (id: string, place: number) => void;
}

/** Movement in pixels with which a drag begins. */
const MOUSE_SLOP = 6;
const TOUCH_SLOP = 10;

interface Drag {
  readonly pointerId: number;
  readonly isMouse: boolean;
  readonly row: HTMLElement;
  readonly id: string;
  readonly pinned: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly scrollTop: number;
  /** Whether movements may lift the row: at once with a mouse, and after a long press with a finger. */
  isHeld: boolean;
  stopTimer: () => void;
  /** The pinned rows in order, with their heights, once the row is lifted. */
  lifted: { readonly rows: readonly HTMLElement[]; place: number } | undefined;
}

/**
 * Lets the user drag pinned chats to another place: with a mouse, or with a finger after a long press, which opens the
 * menu until the finger moves. Escape cancels.
 */
export function listenToPinDrag(
  scroller: HTMLElement,
  signal: AbortSignal,
  { getPinned, onLift, onDrop }: PinDragOptions,
): void {
  let drag: Drag | undefined;
  let isClickSuppressed = false;

  const rowOf = (id: string): HTMLElement | null =>
    scroller.querySelector<HTMLElement>(`[data-chat="${CSS.escape(id)}"]`);

  const end = (): void => {
    if (!drag) return;
    drag.stopTimer();
    for (const row of drag.lifted?.rows ?? []) {
      row.style.transform = '';
      row.classList.remove(css.shifting ?? '', css.lifted ?? '');
    }
    drag.row.closest('li')?.classList.remove(css.above ?? '');
    delete scroller.dataset['dragging'];
    drag = undefined;
  };

  const lift = (current: Drag): void => {
    const rows = current.pinned.map(rowOf).filter((row) => row !== null);
    // A row that is scrolled away may not be in the document.
    if (rows.length !== current.pinned.length) return end();
    current.lifted = { rows, place: rows.indexOf(current.row) };
    for (const row of rows) row.classList.add(css.shifting ?? '');
    current.row.classList.add(css.lifted ?? '');
    // Items of the list are layers of their own.
    current.row.closest('li')?.classList.add(css.above ?? '');
    scroller.dataset['dragging'] = 'true';
    if (!current.isMouse) vibrate();
    onLift(current.id);
  };

  /** Moves the row with the pointer, and others out of its way. */
  const follow = ({ lifted, row, y, scrollTop }: Drag, clientY: number): void => {
    if (!lifted) return;
    const { rows } = lifted;
    const start = rows.indexOf(row);
    const height = row.offsetHeight;
    const wanted = clientY - y + scroller.scrollTop - scrollTop;
    const distance = Math.max(
      -start * height,
      Math.min((rows.length - 1 - start) * height, wanted),
    );
    lifted.place = start + Math.round(distance / height);
    for (const [index, each] of rows.entries()) {
      const isBetween =
        index > start ? index <= lifted.place : index < start && index >= lifted.place;
      const shift = each === row ? distance : isBetween ? (index > start ? -height : height) : 0;
      each.style.transform = shift === 0 ? '' : `translateY(${shift}px)`;
    }
  };

  const hasChanged = ({ pinned }: Drag): boolean => pinned.join() !== getPinned().join();

  const handleDown = (event: PointerEvent): void => {
    end();
    const { target, button, isPrimary, pointerType, pointerId, clientX: x, clientY: y } = event;
    const isMouse = pointerType === 'mouse';
    if (!isPrimary || button !== 0 || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('[data-chat]');
    const id = row?.dataset['chat'];
    const pinned = getPinned();
    if (!row || id === undefined || pinned.length < 2 || !pinned.includes(id)) return;
    const { scrollTop } = scroller;
    const current: Drag = {
      pointerId,
      isMouse,
      row,
      id,
      pinned,
      x,
      y,
      scrollTop,
      isHeld: isMouse,
      stopTimer: () => undefined,
      lifted: undefined,
    };
    if (!isMouse) current.stopTimer = startHoldTimer(() => (current.isHeld = true));
    drag = current;
  };
  const handleMove = (event: PointerEvent): void => {
    if (drag?.pointerId !== event.pointerId) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.lifted) {
      const slop = drag.isMouse ? MOUSE_SLOP : TOUCH_SLOP;
      // A finger that moves earlier scrolls or swipes.
      if (!drag.isHeld && Math.hypot(dx, dy) > slop) return end();
      if (!drag.isHeld || Math.abs(dy) <= slop) return;
      lift(drag);
    }
    // The list has changed meanwhile, here or on another device.
    if (drag && hasChanged(drag)) end();
    if (drag) follow(drag, event.clientY);
  };
  const handleUp = (event: PointerEvent): void => {
    if (drag?.pointerId !== event.pointerId) return;
    const { id, pinned, lifted } = drag;
    const isDropped = lifted !== undefined && !hasChanged(drag);
    end();
    // The row below the pointer would be opened.
    isClickSuppressed = lifted !== undefined;
    if (isDropped && lifted.place !== pinned.indexOf(id)) onDrop(id, lifted.place);
  };
  const handleClick = (event: Event): void => {
    if (!isClickSuppressed) return;
    isClickSuppressed = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const handleKey = (event: KeyboardEvent): void => {
    isClickSuppressed = false;
    if (!drag?.lifted || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end();
    isClickSuppressed = true;
  };

  scroller.addEventListener('pointerdown', handleDown, { signal });
  // No click follows a finger that has moved.
  window.addEventListener('pointerdown', () => (isClickSuppressed = false), {
    signal,
    capture: true,
  });
  // The pointer may leave the list.
  window.addEventListener('pointermove', handleMove, { signal });
  window.addEventListener('pointerup', handleUp, { signal });
  window.addEventListener('pointercancel', end, { signal });
  window.addEventListener('keydown', handleKey, { signal, capture: true });
  window.addEventListener('click', handleClick, { signal, capture: true });
  // Otherwise, the browser would scroll, which ends the gesture.
  const handleTouchMove = (event: TouchEvent): void => {
    if (drag?.isHeld && event.cancelable) event.preventDefault();
  };
  scroller.addEventListener('touchmove', handleTouchMove, { signal, passive: false });
  // Rows are links, which the browser would drag itself.
  scroller.addEventListener('dragstart', (event) => drag && event.preventDefault(), { signal });
  signal.addEventListener('abort', end);
}
