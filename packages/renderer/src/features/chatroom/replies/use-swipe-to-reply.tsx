import { Reply } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode, type RefObject } from 'react';
import { vibrate } from '../../../ui/haptics.ts';
import css from './SwipeIcon.module.css';

/** Distance in pixels after which releasing a message starts a reply. */
const THRESHOLD = 56;
/** Maximum distance in pixels that a message moves. */
const DISTANCE_MAX = 76;
/** Movement in pixels after which a gesture is a swipe or not. */
const SLOP = 12;
/** Distance in pixels from the edge of the screen where the system's own gesture begins. */
const EDGE = 24;
/** Milliseconds after which a finger that has not moved does not swipe. */
const HOLD_MS = 350;
/** Elements that are dragged themselves. */
const EXCLUDED = 'input, textarea, [role="slider"]';

interface Swipe {
  pointerId: number;
  x: number;
  y: number;
  /** When the finger touched the message, in milliseconds. */
  startedAt: number;
  bubble: HTMLElement;
  isSwiping: boolean;
  distance: number;
}

/**
 * Starts a reply when the user swipes a message to the right with a finger. Vertical movements scroll as usual.
 * Returns the icon that appears meanwhile.
 * @param frame contains the messages and the icon
 * @param onReply called with the message's element
 */
export function useSwipeToReply(
  frame: RefObject<HTMLElement | null>,
  isEnabled: boolean,
  onReply: (bubble: HTMLElement) => void,
): ReactNode {
  const icon = useRef<HTMLSpanElement>(null);
  const reply = useEffectEvent(onReply);
  useEffect(() => {
    const element = frame.current;
    if (!element || !isEnabled) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let swipe: Swipe | undefined;

    const show = ({ bubble, distance }: Swipe): void => {
      bubble.style.setProperty('--swipe', `${Math.round(distance)}px`);
      const { current } = icon;
      if (!current) return;
      const box = bubble.getBoundingClientRect();
      const top = box.top + box.height / 2 - element.getBoundingClientRect().top;
      current.style.top = `${top}px`;
      current.style.opacity = String(Math.min(1, distance / THRESHOLD));
      current.dataset['ready'] = String(distance >= THRESHOLD);
    };
    const end = (): void => {
      if (!swipe) return;
      swipe.bubble.style.removeProperty('--swipe');
      delete swipe.bubble.dataset['swiping'];
      if (icon.current) icon.current.style.opacity = '0';
      swipe = undefined;
    };
    const handleDown = (event: PointerEvent): void => {
      end();
      const { target, pointerType, isPrimary, clientX: x, clientY: y, pointerId } = event;
      if (pointerType !== 'touch' || !isPrimary || x < EDGE || !(target instanceof Element)) return;
      const bubble = target.closest<HTMLElement>('[data-message][data-state="sent"]');
      if (!bubble || target.closest(EXCLUDED)) return;
      const startedAt = event.timeStamp;
      swipe = { pointerId, x, y, startedAt, bubble, isSwiping: false, distance: 0 };
    };
    const handleMove = ({ pointerId, clientX, clientY, timeStamp }: PointerEvent): void => {
      if (swipe?.pointerId !== pointerId) return;
      const [dx, dy] = [clientX - swipe.x, clientY - swipe.y];
      if (!swipe.isSwiping) {
        // A long press opens the menu.
        const isHeld = timeStamp - swipe.startedAt > HOLD_MS;
        if (isHeld || Math.abs(dy) > SLOP || dx < -SLOP) return end();
        if (dx < SLOP || dx < 2 * Math.abs(dy)) return;
        swipe.isSwiping = true;
        swipe.bubble.dataset['swiping'] = 'true';
      }
      const before = swipe.distance;
      swipe.distance = Math.max(0, Math.min(DISTANCE_MAX, dx - SLOP));
      if (before < THRESHOLD && swipe.distance >= THRESHOLD) vibrate();
      show(swipe);
    };
    const handleUp = ({ pointerId }: PointerEvent): void => {
      if (swipe?.pointerId !== pointerId) return;
      const { bubble, distance, isSwiping } = swipe;
      end();
      if (isSwiping && distance >= THRESHOLD) reply(bubble);
    };
    element.addEventListener('pointerdown', handleDown, { signal });
    element.addEventListener('pointermove', handleMove, { signal });
    element.addEventListener('pointerup', handleUp, { signal });
    // The browser cancels the pointer when it scrolls.
    element.addEventListener('pointercancel', end, { signal });
    signal.addEventListener('abort', end);
    return () => stop.abort();
  }, [frame, isEnabled]);
  return (
    <span ref={icon} className={css.icon} aria-hidden="true">
      <Reply />
    </span>
  );
}
