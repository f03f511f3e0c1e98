import type { SearchState } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import { toImagePages } from './image-pages.ts';

const RESULTS: SearchState = {
  status: 'results',
  conditions: {},
  hits: [],
  total: 70,
  hasMore: true,
  isLoadingMore: false,
  moreError: undefined,
  isOffline: false,
  error: undefined,
};

const remainingOf = (change: Partial<SearchState>, loaded = 30) =>
  toImagePages({ ...RESULTS, ...change }, { loadMore: vi.fn(), retry: vi.fn() }, loaded).remaining;

test('counts the images that are not loaded only if their number is known', () => {
  expect(remainingOf({})).toBe(40);
  expect(remainingOf({ hasMore: false }, 68)).toBe(0);
  expect(remainingOf({}, 71)).toBe(0);
  expect(remainingOf({ total: undefined })).toBeUndefined();
  expect(remainingOf({ total: LIMITS.searchTotalMax })).toBeUndefined();
  expect(remainingOf({ isOffline: true })).toBeUndefined();
  // The device may lack some of them.
  expect(remainingOf({ isOffline: true, hasMore: false })).toBeUndefined();
  expect(remainingOf({ status: 'searching' })).toBeUndefined();
  expect(remainingOf({ status: 'failed', total: undefined })).toBeUndefined();
});

test('loads the next page, or starts again if the first one has failed', () => {
  const search = { loadMore: vi.fn(), retry: vi.fn() };
  toImagePages({ ...RESULTS, moreError: new Error('no') }, search, 30).load();
  expect(search.loadMore).toHaveBeenCalledOnce();
  expect(search.retry).not.toHaveBeenCalled();
  const failed = toImagePages({ ...RESULTS, status: 'failed' }, search, 0);
  expect(failed).toMatchObject({ hasFailed: true, hasMore: true, isLoading: false });
  failed.load();
  expect(search.retry).toHaveBeenCalledOnce();
});
