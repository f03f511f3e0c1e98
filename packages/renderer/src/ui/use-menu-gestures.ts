import { useEffect, useEffectEvent, type RefObject } from 'react';
import { vibrate } from './haptics.ts';
import { startHoldTimer } from './hold-timer.ts';
import { areaAnchor, pointAnchor, type MenuAnchor } from './menu-anchor.ts';

/** How the user asked for a context menu. */
export type MenuGesture = 'mouse' | 'touch' | 'keyboard';

interface MenuGestureOptions {
  /** Returns the area that has a context menu at an element below the pointer or with the focus. */
  find: (target: Element, gesture: MenuGesture) => HTMLElement | null | undefined;
  onOpen: (area: HTMLElement, anchor: MenuAnchor, gesture: MenuGesture) => void;
  /** Selects the elements that keep the menu of the browser; by default also links and sliders. */
  excluded?: string;
}

/** Maximum movement of a long press in pixels. */
const LONG_PRESS_SLOP = 10;
/** Elements with a menu of the browser, or whose value changes while they are held. */
const EXCLUDED = 'a[href], input, textarea, [role="slider"]';

/**
 * Opens a context menu for areas inside a container: with a right click, a long press, the context menu key or
 * Shift+F10. Leaves selected text, excluded elements and a right click with Shift to the browser's own menu.
 */
export function useMenuGestures(
  container: RefObject<HTMLElement | null>,
  options: MenuGestureOptions,
): void {
  const find = useEffectEvent(options.find);
  const open = useEffectEvent(options.onOpen);
  const { excluded = EXCLUDED } = options;
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const onOpen = (area: HTMLElement, anchor: MenuAnchor, gesture: MenuGesture): void =>
      open(area, anchor, gesture);
    const areaAt = (event: Event, gesture: MenuGesture): HTMLElement | undefined => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest(excluded)) return undefined;
      return find(target, gesture) ?? undefined;
    };
    const isHeld = listenForLongPress(element, signal, areaAt, onOpen);
    listenForRightClick(element, signal, areaAt, onOpen, isHeld);
    listenForKeys(element, signal, areaAt, onOpen);
    return () => stop.abort();
  }, [container, excluded]);
}

type AreaAt = (event: Event, gesture: MenuGesture) => HTMLElement | undefined;

function listenForRightClick(
  container: HTMLElement,
  signal: AbortSignal,
  areaAt: AreaAt,
  onOpen: MenuGestureOptions['onOpen'],
  isHeld: () => boolean,
): void {
  let hadSelection = false;
  const handleMouseDown = (event: MouseEvent): void => {
    if (event.button !== 2 && !event.ctrlKey) return;
    const area = areaAt(event, 'mouse');
    // macOS selects the word below the pointer before the context menu event.
    hadSelection = area !== undefined && isSelected(area);
    // The focus stays where it is.
    if (area && event.button === 2 && !event.shiftKey) event.preventDefault();
  };
  const handleContextMenu = (event: MouseEvent): void => {
    // Some systems send this event after a long press, too.
    if (isHeld()) event.preventDefault();
    if (event.defaultPrevented || event.shiftKey) return;
    const area = areaAt(event, 'mouse');
    if (!area || hadSelection) return;
    event.preventDefault();
    // Only the own timer knows whether the finger has moved.
    if (event instanceof PointerEvent && event.pointerType === 'touch') return;
    if (isSelected(area)) getSelection()?.removeAllRanges();
    onOpen(area, pointAnchor({ x: event.clientX, y: event.clientY }), 'mouse');
  };
  container.addEventListener('mousedown', handleMouseDown, { signal });
  container.addEventListener('contextmenu', handleContextMenu, { signal });
}

/** Returns whether the user's finger is still down after a long press. */
function listenForLongPress(
  container: HTMLElement,
  signal: AbortSignal,
  areaAt: AreaAt,
  onOpen: MenuGestureOptions['onOpen'],
): () => boolean {
  let stopTimer: (() => void) | undefined;
  let start = { x: 0, y: 0 };
  let isHeld = false;
  const cancel = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  const handleDown = (event: PointerEvent): void => {
    cancel();
    isHeld = false;
    const area = event.pointerType !== 'mouse' && event.isPrimary && areaAt(event, 'touch');
    if (!area) return;
    const { clientX: x, clientY: y } = event;
    start = { x, y };
    stopTimer = startHoldTimer(() => {
      stopTimer = undefined;
      isHeld = true;
      vibrate();
      onOpen(area, areaAnchor(area, start), 'touch');
    });
  };
  const handleMove = ({ clientX, clientY }: PointerEvent): void => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > LONG_PRESS_SLOP) cancel();
  };
  // Otherwise, the end of the long press would click on what is below the finger.
  const handleEnd = (event: Event): void => {
    if (isHeld && event.cancelable) event.preventDefault();
  };
  const handleClick = (event: Event): void => {
    if (!isHeld) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  };
  container.addEventListener('pointerdown', handleDown, { signal });
  container.addEventListener('pointermove', handleMove, { signal });
  container.addEventListener('pointerup', cancel, { signal });
  container.addEventListener('pointercancel', cancel, { signal });
  container.addEventListener('scroll', cancel, { signal, capture: true, passive: true });
  container.addEventListener('touchend', handleEnd, { signal, passive: false });
  container.addEventListener('click', handleClick, { signal, capture: true });
  // Enter clicks on buttons, too.
  container.addEventListener('keydown', () => (isHeld = false), { signal, capture: true });
  signal.addEventListener('abort', cancel);
  return () => isHeld;
}

function listenForKeys(
  container: HTMLElement,
  signal: AbortSignal,
  areaAt: AreaAt,
  onOpen: MenuGestureOptions['onOpen'],
): void {
  const handleKeyDown = (event: KeyboardEvent): void => {
    const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
    const area = isMenuKey && areaAt(event, 'keyboard');
    if (!area) return;
    event.preventDefault();
    onOpen(area, areaAnchor(area), 'keyboard');
  };
  container.addEventListener('keydown', handleKeyDown, { signal });
}

function isSelected(area: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(area, true);
}
