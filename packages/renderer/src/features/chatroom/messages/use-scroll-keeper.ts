import { UI } from '@parley/contract';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useClient } from '../../../client/client-context.ts';
import { topmostRow } from './topmost-row.ts';
import type { TimelineRow } from './timeline.ts';

interface ScrollKeeperSource {
  chatroomId: string;
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  hasMore: boolean;
  isLoadingOlder: boolean;
  onLoadOlder: () => void;
  onAtBottomChange: (isAtBottom: boolean) => void;
}

/** Where the reader is, and what the list has to tell. */
export interface ScrollKeeper {
  /** Undefined until the rows are measured. */
  isAtBottom: boolean | undefined;
  /** Rows were put in front: the place is kept from the end. */
  isPrepending: boolean;
  onScroll: () => void;
  onResize: () => void;
  toBottom: () => void;
}

/** How near the oldest loaded message the next page is fetched, in pixels. */
const LOAD_AHEAD = 1_200;
/** How much is seen above the unread line when a room opens there, in pixels. */
const ABOVE_UNREAD = 56;

/**
 * Keeps the reader's place: at the first unread message when the room opens, else where they left it,
 * at the end while they are there, and where they are while older messages come in above or
 * pictures and the window change.
 */
export function useScrollKeeper(source: ScrollKeeperSource): ScrollKeeper {
  const {
    chatroomId,
    scroller,
    list,
    rows,
    hasMore,
    isLoadingOlder,
    onLoadOlder,
    onAtBottomChange,
  } = source;
  const client = useClient();
  const sticks = useRef(true);
  const lastTop = useRef(0);
  const [isAtBottom, setIsAtBottom] = useState<boolean>();
  const [before, setBefore] = useState(rows);
  const [isPrepending, setIsPrepending] = useState(false);

  if (before !== rows) {
    setBefore(rows);
    setIsPrepending(firstSeq(rows) < firstSeq(before));
  }

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const top = element.scrollTop;
    const distance = element.scrollHeight - top - element.clientHeight;
    const isNear = distance < UI.atBottomThreshold;
    // Rows that are measured late move the end away; only the reader moves away from the end.
    if (isNear || top < lastTop.current) sticks.current = isNear;
    lastTop.current = top;
    setIsAtBottom(isNear);
  }, [scroller]);

  // The composer grows, the window changes, rows are measured: the end stays in sight.
  const onResize = useCallback(() => {
    const element = scroller.current;
    if (element && sticks.current) element.scrollTo({ top: element.scrollHeight });
    measure();
  }, [measure, scroller]);

  const loadAhead = (): void => {
    const offset = scroller.current?.scrollTop ?? Infinity;
    if (hasMore && !isLoadingOlder && offset < LOAD_AHEAD) onLoadOlder();
  };

  const toBottom = useCallback(() => {
    sticks.current = true;
    list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' });
  }, [list]);

  const onOpened = useEffectEvent(() => {
    measure();
    loadAhead();
  });
  const open = useEffectEvent(() => {
    const unread = rows.findIndex(({ isFirstUnread }) => isFirstUnread);
    const left = client.readingPositions.getState().positions.get(chatroomId);
    const place = unread < 0 && left ? rows.findIndex(({ key }) => key === left.key) : -1;
    sticks.current = unread < 0 && place < 0;
    if (unread >= 0) list.current?.scrollToIndex(unread, { align: 'start', offset: -ABOVE_UNREAD });
    else if (left && place >= 0) {
      list.current?.scrollToIndex(place, { align: 'start', offset: left.offset });
    } else list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  });

  useLayoutEffect(() => {
    open();
    // The list measures its rows in the next frames; only then is it known what is in sight.
    const timer = setTimeout(() => onOpened(), 120);
    return () => clearTimeout(timer);
  }, []);

  const keepPosition = useEffectEvent((element: HTMLElement) => {
    const position = sticks.current ? undefined : topmostRow(element, rows);
    client.readingPositions.getState().setPosition(chatroomId, position);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (element) keepPosition(element);
    };
  }, [scroller]);

  const lastKey = rows.at(-1)?.key;
  const lastIsNewOwn = rows.at(-1)?.entry !== undefined;
  const shownKey = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (shownKey.current === lastKey) return;
    shownKey.current = lastKey;
    // What one sends is always shown.
    if (lastIsNewOwn || sticks.current) toBottom();
  }, [lastKey, lastIsNewOwn, toBottom]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    if (element.lastElementChild) observer.observe(element.lastElementChild);
    return () => observer.disconnect();
  }, [onResize, scroller]);

  const tell = useEffectEvent((value: boolean) => onAtBottomChange(value));
  useEffect(() => {
    if (isAtBottom !== undefined) tell(isAtBottom);
  }, [isAtBottom]);

  return {
    isAtBottom,
    isPrepending,
    onScroll: () => {
      measure();
      loadAhead();
    },
    onResize,
    toBottom,
  };
}

function firstSeq(rows: readonly TimelineRow[]): number {
  return rows[0]?.message?.seq ?? Infinity;
}
