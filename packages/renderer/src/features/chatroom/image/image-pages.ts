import type { SearchState } from '@parley/client';
import { LIMITS } from '@parley/contract';

/** The images of a chatroom before or after those that are loaded. */
export interface ImagePages {
  /** Whether there may be more. */
  hasMore: boolean;
  isLoading: boolean;
  hasFailed: boolean;
  /** Whether only the images on this device are known, as there is no connection. */
  isOffline: boolean;
  /** Number of images that are not loaded. Undefined if it is not known. */
  remaining: number | undefined;
  /** Loads more, also after a failure. */
  load: () => void;
}

/** If all images are loaded. */
export const NO_MORE_PAGES: ImagePages = {
  hasMore: false,
  isLoading: false,
  hasFailed: false,
  isOffline: false,
  remaining: 0,
  load: () => undefined,
};

/**
 * Describes the results of a search for images that are not loaded.
 * @param loaded number of its images that are loaded
 */
export function toImagePages(
  state: SearchState,
  { loadMore, retry }: { loadMore: () => unknown; retry: () => void },
  loaded: number,
): ImagePages {
  const { status, hasMore, isLoadingMore, moreError, total, isOffline } = state;
  const isComplete = status === 'results' && !hasMore;
  const isCounted =
    status === 'results' && total !== undefined && total < LIMITS.searchTotalMax && !isOffline;
  const uncounted = isComplete && !isOffline ? 0 : undefined;
  return {
    hasMore: !isComplete,
    isLoading: status === 'searching' || isLoadingMore,
    hasFailed: status === 'failed' || moreError !== undefined,
    isOffline,
    remaining: isCounted && hasMore ? Math.max(0, total - loaded) : uncounted,
    load: () => (status === 'failed' ? retry() : void loadMore()),
  };
}
