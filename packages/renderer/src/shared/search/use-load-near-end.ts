import type { SearchState } from '@parley/client';
import { useEffect, useEffectEvent, type RefObject } from 'react';

interface NearEndOptions {
  /** Follows the results that are loaded. */
  end: RefObject<HTMLElement | null>;
  /** Returns the element that contains the results and scrolls. */
  findScroller: () => HTMLElement | null;
  /** How far below the visible part the end may be, as a CSS length. */
  margin: string;
  state: Pick<SearchState, 'isLoadingMore' | 'moreError'>;
  loadMore: () => void;
}

/** Loads more results once their end is scrolled near the visible part, except after a failure. */
export function useLoadNearEnd({ end, findScroller, margin, ...search }: NearEndOptions): void {
  const { isLoadingMore, moreError } = search.state;
  const hasFailed = moreError !== undefined;
  const load = useEffectEvent(search.loadMore);
  const findRoot = useEffectEvent(findScroller);
  useEffect(() => {
    const { current } = end;
    if (!current || isLoadingMore || hasFailed) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        // A slow device reports several at once, the oldest first.
        if (entries.some(({ isIntersecting }) => isIntersecting)) load();
      },
      { root: findRoot(), rootMargin: margin },
    );
    observer.observe(current);
    return () => observer.disconnect();
    // Observed again after each page, as its end may be near, too.
  }, [end, margin, isLoadingMore, hasFailed]);
}
