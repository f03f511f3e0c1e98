import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { listenToInputs } from '../messages/listen-to-inputs.ts';
import { hasSeq, type TimelineRow } from '../messages/timeline.ts';
import type { ScrollAnchor } from '../messages/use-scroll-anchor.ts';
import type { ListTarget, ChatroomJumps } from './use-chatroom-jumps.ts';

interface ListTargetOptions {
  /** Contains the messages. */
  frame: RefObject<HTMLElement | null>;
  rows: readonly TimelineRow[];
  scrollAnchor: Pick<ScrollAnchor, 'isAtBottom' | 'scrollToRow' | 'releaseRow'>;
  jumps: Pick<ChatroomJumps, 'target' | 'onReached' | 'forgetOrigins'>;
}

/** The row at which a jump has arrived. */
interface Reached extends Pick<ListTarget, 'id' | 'keepsFocus' | 'offset'> {
  key: string;
}

/** How long a message is highlighted after a jump. Milliseconds. */
const HIGHLIGHT_MS = 2_000;
/** Maximum number of frames to wait until a message is rendered. */
const FRAMES_MAX = 60;
/** Number of frames in which a message must stay visible. Rows above it may be measured late and move it away. */
const STABLE_FRAMES = 10;

/**
 * Scrolls the list to the target of a jump once it is loaded, and focuses it, so that screen readers read it, unless
 * the focus stays where it is.
 * @returns the key of the row to highlight
 */
export function useListTarget(options: ListTargetOptions): string | undefined {
  const { frame, rows, scrollAnchor, jumps } = options;
  const { target, onReached } = jumps;
  const [reached, setReached] = useState<Reached>();
  const loaded = target && rows.find((row) => hasSeq(row, target.seq));
  if (target && loaded && reached?.id !== target.id) {
    const { id, keepsFocus, offset } = target;
    setReached({ key: loaded.key, id, keepsFocus, offset });
  }

  const scroll = useEffectEvent(({ key, id, offset }: Reached) => {
    scrollAnchor.scrollToRow(
      rows.findIndex((row) => row.key === key),
      offset,
    );
    onReached(id);
  });
  const showMatch = useEffectEvent((row: Element | null): boolean => {
    const isShown = scrollToMatch(row);
    if (isShown) scrollAnchor.releaseRow();
    return isShown;
  });
  useEffect(() => {
    if (!reached) return undefined;
    scroll(reached);
    let frames = 0;
    let shownFrames = 0;
    let request = 0;
    let hasInput = false;
    const stopListening = listenToInputs(frame.current ?? window, () => {
      hasInput = true;
    });
    const show = (): void => {
      // Rows that are measured late may not undo what the user does.
      if (hasInput) return;
      const row =
        frame.current?.querySelector(`[data-key="${CSS.escape(reached.key)}"] article`) ?? null;
      // The user has moved on.
      if (shownFrames > 0 && row !== document.activeElement) return;
      // The list hides rows until it has measured them.
      const isShown = reached.keepsFocus ? showMatch(row) : focusInView(row, frame.current);
      shownFrames = isShown ? shownFrames + 1 : 0;
      frames += 1;
      const isDone = shownFrames >= (reached.keepsFocus ? 1 : STABLE_FRAMES);
      if (!isDone && frames < FRAMES_MAX) request = requestAnimationFrame(show);
    };
    request = requestAnimationFrame(show);
    const timer = setTimeout(() => setReached(undefined), HIGHLIGHT_MS);
    return () => {
      cancelAnimationFrame(request);
      clearTimeout(timer);
      stopListening();
    };
  }, [frame, reached]);

  // The way back leads nowhere once the user has arrived at the newest messages.
  const hasArrived = scrollAnchor.isAtBottom === true && target === undefined && !reached;
  const forget = useEffectEvent(() => jumps.forgetOrigins());
  useEffect(() => {
    if (hasArrived) forget();
  }, [hasArrived]);

  return reached?.key;
}

/** Focuses a row of a list, and scrolls to it if the list has not. Returns whether it has the focus and is visible. */
function focusInView(row: Element | null, frame: Element | null): boolean {
  if (!(row instanceof HTMLElement) || !frame) return false;
  row.focus({ preventScroll: true });
  if (row !== document.activeElement) return false;
  const [box, view] = [row.getBoundingClientRect(), frame.getBoundingClientRect()];
  const isInView = box.bottom > view.top && box.top < view.bottom;
  if (!isInView) row.scrollIntoView({ block: 'center' });
  return isInView;
}

/** Scrolls to the first match in a row, which may be taller than the list. Returns whether the row is shown. */
function scrollToMatch(row: Element | null): boolean {
  if (row?.checkVisibility({ visibilityProperty: true }) !== true) return false;
  row.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  return true;
}
