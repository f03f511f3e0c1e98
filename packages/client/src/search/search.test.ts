import type { Message, SearchConditions, SearchHit } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { createConnectionStore } from '../stores/connection.ts';
import type { FindOptions, FoundMessages } from './find-messages.ts';
import type { HitChange } from './hit-changes.ts';
import { createSearch, type Search } from './search.ts';

const DEBOUNCE = 200;

/** A request of the search, with the functions that settle it. */
interface Request {
  conditions: SearchConditions;
  options: FindOptions;
  respond: (found: Partial<FoundMessages>) => void;
  fail: (error: unknown) => void;
}

let requests: Request[];
let connection: ReturnType<typeof createConnectionStore>;
let listeners: Set<(change: HitChange) => void>;
let search: Search;

const message = (seq: number, content = `boat ${seq}`, rev = seq): Message => ({
  _id: `m${seq}`,
  chatroom: seq % 2 === 0 ? 'even' : 'odd',
  content,
  sender: { username: seq % 3 === 0 ? 'Bob' : 'Ada' },
  createdAt: '2026-03-20T09:00:00.000Z',
  updatedAt: '2026-03-20T09:00:00.000Z',
  seq,
  rev,
  kind: 'text',
});
const hit = (seq: number): SearchHit => ({
  message: message(seq),
  excerpt: { text: `boat ${seq}`, ranges: [{ start: 0, end: 4 }] },
});
const hits = (...seqs: readonly number[]): SearchHit[] => seqs.map(hit);
const emit = (change: HitChange): void => listeners.forEach((listener) => listener(change));
const state = () => search.store.getState();
const found = (): number[] => state().hits.map((each) => each.message.seq);

function lastRequest(): Request {
  const request = requests.at(-1);
  if (!request) throw new Error('no request');
  return request;
}

/** Sets conditions and waits until the request is sent. */
async function start(conditions: SearchConditions = { query: 'boat' }): Promise<Request> {
  search.setConditions(conditions);
  await vi.advanceTimersByTimeAsync(DEBOUNCE);
  return lastRequest();
}

async function respond(request: Request, response: Partial<FoundMessages>): Promise<void> {
  request.respond(response);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  listeners = new Set();
  connection = createConnectionStore();
  connection.getState().setStatus('online');
  search = createSearch({
    username: 'Ada',
    connection,
    timing: { searchDebounce: DEBOUNCE },
    find: (conditions, options = {}) =>
      new Promise((resolve, reject) => {
        const response = { hits: [], cursor: undefined, total: undefined, isOffline: false };
        requests.push({
          conditions,
          options,
          respond: (part) => resolve({ ...response, ...part }),
          fail: reject,
        });
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
});

afterEach(() => {
  search.dispose();
  vi.useRealTimers();
});

test('is idle without conditions, and listens to nothing', () => {
  search.setConditions({ query: ' \n' });
  expect(state()).toMatchObject({ status: 'idle', conditions: {}, hits: [] });
  search.setConditions({ chatroomId: 'even' });
  expect(state().status).toBe('idle');
  expect(listeners.size).toBe(0);
});

test('needs a word of three letters, except in one chatroom', async () => {
  search.setConditions({ query: 'bo at', from: 'me' });
  expect(state().status).toBe('tooShort');
  await vi.advanceTimersByTimeAsync(DEBOUNCE);
  expect(requests).toEqual([]);
  const { conditions } = await start({ query: 'bo', chatroomId: 'even' });
  expect(conditions).toEqual({ query: 'bo', chatroomId: 'even' });
});

test('searches for the last of several inputs in quick succession', async () => {
  for (const query of ['boa', 'boat', 'boats ']) {
    search.setConditions({ query });
    await vi.advanceTimersByTimeAsync(DEBOUNCE - 1);
  }
  expect(requests).toEqual([]);
  expect(state().status).toBe('searching');
  await vi.advanceTimersByTimeAsync(1);
  expect(requests.map(({ conditions }) => conditions)).toEqual([{ query: 'boats' }]);
});

test('searches immediately on request, and not again', async () => {
  search.setConditions({ query: 'boat' });
  search.searchNow();
  expect(requests).toHaveLength(1);
  search.searchNow();
  await vi.advanceTimersByTimeAsync(DEBOUNCE);
  expect(requests).toHaveLength(1);
});

test('keeps the results until those of new conditions arrive, and forgets them without conditions', async () => {
  await respond(await start(), { hits: hits(3, 2, 1), total: 3 });
  expect(state()).toMatchObject({ status: 'results', total: 3, hasMore: false });
  search.setConditions({ query: 'boats' });
  expect(state().status).toBe('searching');
  expect(found()).toEqual([3, 2, 1]);
  search.setConditions({});
  expect(state()).toMatchObject({ status: 'idle', hits: [], total: undefined });
  await vi.advanceTimersByTimeAsync(DEBOUNCE);
  expect(requests).toHaveLength(1);
});

test('ignores a response to older conditions, also one that arrives last', async () => {
  const first = await start({ query: 'boat' });
  const second = await start({ query: 'ship' });
  await respond(second, { hits: hits(4) });
  await respond(first, { hits: hits(3, 2, 1) });
  expect(found()).toEqual([4]);
  expect(first.options.signal?.aborted).toBe(true);
  first.fail(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ status: 'results', conditions: { query: 'ship' } });
});

test('shows a failure, and searches again on request', async () => {
  const error = new ApiError('internal', 500, 'broken');
  (await start()).fail(error);
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ status: 'failed', error, hits: [] });
  search.retry();
  expect(state()).toMatchObject({ status: 'searching', error: undefined });
  await respond(lastRequest(), { hits: hits(1) });
  expect(state()).toMatchObject({ status: 'results' });
  expect(found()).toEqual([1]);
});

test('adds pages until there are no more, each only once', async () => {
  await respond(await start(), { hits: hits(6, 5), cursor: 'a' });
  expect(state().hasMore).toBe(true);
  void search.loadMore();
  void search.loadMore();
  expect(requests).toHaveLength(2);
  expect(lastRequest().options.cursor).toBe('a');
  // The server continues a search that found nothing within its limit of effort.
  await respond(lastRequest(), { hits: [], cursor: 'b' });
  expect(state().isLoadingMore).toBe(true);
  await respond(lastRequest(), { hits: hits(5, 4) });
  expect(state()).toMatchObject({ hasMore: false, isLoadingMore: false });
  expect(found()).toEqual([6, 5, 4]);
  await search.loadMore();
  expect(requests).toHaveLength(3);
});

test('keeps the results if the next page fails, and can load it again', async () => {
  await respond(await start(), { hits: hits(6, 5), cursor: 'a' });
  void search.loadMore();
  const error = new ApiError('offline', 0, 'no response');
  lastRequest().fail(error);
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ status: 'results', moreError: error, isLoadingMore: false });
  expect(found()).toEqual([6, 5]);
  void search.loadMore();
  expect(state().moreError).toBeUndefined();
  await respond(lastRequest(), { hits: hits(4) });
  expect(found()).toEqual([6, 5, 4]);
});

test('passes the page size and the order to each request', async () => {
  const request = vi.fn<() => Promise<FoundMessages>>(() => new Promise(() => undefined));
  const other = createSearch(
    {
      username: 'Ada',
      connection,
      timing: { searchDebounce: 0 },
      find: request,
      onChange: () => () => undefined,
    },
    { pageSize: 100, order: 'oldest' },
  );
  other.setConditions({ kind: 'image' });
  other.searchNow();
  expect(request).toHaveBeenCalledWith(
    { kind: 'image' },
    expect.objectContaining({ limit: 100, order: 'oldest' }),
  );
  other.dispose();
});

test('results follow edits and deletions', async () => {
  await respond(await start(), { hits: hits(6, 5, 4, 3, 2, 1), total: 6 });
  emit({ type: 'updated', message: message(5, 'a boathouse', 10) });
  expect(state().hits[1]).toMatchObject({
    message: { content: 'a boathouse' },
    excerpt: { text: 'a boathouse', ranges: [{ start: 2, end: 6 }] },
  });
  emit({ type: 'updated', message: message(4, 'a car', 11) });
  emit({ type: 'updated', message: message(3, 'an older version', 2) });
  emit({ type: 'updated', message: message(9, 'another boat', 12) });
  emit({ type: 'deleted', messageId: 'm2' });
  expect(found()).toEqual([6, 5, 3, 1]);
  expect(state().total).toBe(4);
  emit({ type: 'partner-deleted', chatroomId: 'even' });
  expect(found()).toEqual([5, 3, 1]);
  emit({ type: 'room-gone', chatroomId: 'odd' });
  expect(state()).toMatchObject({ status: 'results', hits: [], total: 0 });
});

test('a search in one chatroom keeps its results when the chat is blocked', async () => {
  await respond(await start({ query: 'boat', chatroomId: 'odd' }), { hits: hits(3, 1), total: 2 });
  emit({ type: 'room-gone', chatroomId: 'odd' });
  expect(found()).toEqual([3, 1]);
  expect(state().total).toBe(2);
});

test('goes on with the next page when all results are removed, and is empty only at the end', async () => {
  await respond(await start(), { hits: hits(6, 4), cursor: 'a' });
  emit({ type: 'deleted', messageId: 'm6' });
  expect(requests).toHaveLength(1);
  emit({ type: 'room-gone', chatroomId: 'even' });
  expect(state()).toMatchObject({ hits: [], hasMore: true, isLoadingMore: true });
  const second = lastRequest();
  expect(second.options.cursor).toBe('a');
  emit({ type: 'deleted', messageId: 'm3' });
  await respond(second, { hits: hits(3), cursor: 'b' });
  expect(state()).toMatchObject({ hits: [], hasMore: true, isLoadingMore: true });
  const error = new ApiError('internal', 500, 'broken');
  lastRequest().fail(error);
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ status: 'results', moreError: error, isLoadingMore: false });
  emit({ type: 'deleted', messageId: 'm9' });
  expect(requests).toHaveLength(3);
  void search.loadMore();
  expect(lastRequest().options.cursor).toBe('b');
  emit({ type: 'deleted', messageId: 'm1' });
  await respond(lastRequest(), { hits: hits(1) });
  expect(state()).toMatchObject({ status: 'results', hits: [], hasMore: false });
  expect(requests).toHaveLength(4);
});

test('loads the next page only once the results have been replaced', async () => {
  await respond(await start(), { hits: hits(6, 5), cursor: 'a' });
  connection.getState().setStatus('reconnecting');
  connection.getState().setStatus('online');
  const refresh = lastRequest();
  emit({ type: 'deleted', messageId: 'm5' });
  await search.loadMore();
  expect(lastRequest()).toBe(refresh);
  await respond(refresh, { hits: hits(7, 6, 5), cursor: 'b' });
  expect(found()).toEqual([7, 6]);
  expect(lastRequest().options.cursor).toBe('b');
  await respond(lastRequest(), { hits: hits(4) });
  expect(found()).toEqual([7, 6, 4]);
});

test('applies changes that happen during a request to its older response', async () => {
  const first = await start();
  emit({ type: 'deleted', messageId: 'm3' });
  await respond(first, { hits: hits(4, 3), cursor: 'a' });
  expect(found()).toEqual([4]);
  void search.loadMore();
  emit({ type: 'updated', message: message(2, 'a car', 10) });
  await respond(lastRequest(), { hits: hits(2, 1) });
  expect(found()).toEqual([4, 1]);
});

test('searches again after a reconnect, as many results as before and without hiding them', async () => {
  await respond(await start(), { hits: hits(6, 5), cursor: 'a' });
  void search.loadMore();
  await respond(lastRequest(), { hits: hits(4, 3), cursor: 'b' });
  connection.getState().setStatus('reconnecting');
  connection.getState().setStatus('online');
  expect(state().status).toBe('results');
  await respond(lastRequest(), { hits: hits(7, 6), cursor: 'c' });
  expect(found()).toEqual([6, 5, 4, 3]);
  await respond(lastRequest(), { hits: hits(5, 3), cursor: 'd' });
  expect(found()).toEqual([7, 6, 5, 3]);
  expect(requests).toHaveLength(4);
});

test('replaces the results of this device once there is a connection', async () => {
  connection.getState().setStatus('offline');
  await respond(await start(), { hits: hits(2), isOffline: true });
  expect(state().isOffline).toBe(true);
  connection.getState().setStatus('online');
  await respond(lastRequest(), { hits: hits(2, 1) });
  expect(state()).toMatchObject({ status: 'results', isOffline: false });
  expect(found()).toEqual([2, 1]);
});

test('forgets everything when it is disposed of, and can be used again', async () => {
  const first = await start();
  search.dispose();
  await respond(first, { hits: hits(1) });
  expect(state()).toMatchObject({ status: 'idle', conditions: {}, hits: [] });
  expect(listeners.size).toBe(0);
  await respond(await start(), { hits: hits(2) });
  expect(found()).toEqual([2]);
});
