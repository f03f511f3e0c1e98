import { createApiClient } from '@parley/client';
import { endpoints } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createEarlyFetch } from './early-responses.ts';

const ORIGIN = 'http://localhost';
const send = vi.fn<typeof fetch>(async () => Response.json({ version: 'new' }));

beforeEach(() => {
  send.mockClear();
  vi.stubGlobal('fetch', send);
});

/** Creates an API client with early responses for the configuration and the chat list. */
function createApi(
  config: Promise<Response> = Promise.resolve(Response.json({ version: 'early' })),
) {
  const early = new Map([
    [ORIGIN + endpoints.getConfig.path, config],
    [ORIGIN + endpoints.listChats.path, Promise.resolve(Response.json({ chatrooms: ['early'] }))],
  ]);
  const api = createApiClient({ origin: ORIGIN, fetch: createEarlyFetch(early), retryDelay: 0 });
  return { api, early };
}

test('takes an early response once', async () => {
  const { api } = createApi();
  expect(await api.call('getConfig')).toEqual({ version: 'early' });
  expect(send).not.toHaveBeenCalled();
  expect(await api.call('getConfig')).toEqual({ version: 'new' });
});

test('keeps the entity tag of an early response', async () => {
  const { api } = createApi(Promise.resolve(Response.json({}, { headers: { etag: '"a"' } })));
  expect(await api.callIfChanged('getConfig', undefined)).toEqual({ body: {}, etag: '"a"' });
});

test('any other request discards the early responses', async () => {
  const { api, early } = createApi();
  await api.call('login', { body: { email: 'a@example.org', password: 'secret' } });
  expect(early.size).toBe(0);
  expect(await api.call('listChats')).toEqual({ version: 'new' });
});

test('a failed early request is repeated', async () => {
  const failed = Promise.reject<Response>(new TypeError('Failed to fetch'));
  const { api } = createApi(failed);
  expect(await api.call('getConfig')).toEqual({ version: 'new' });
});

test('an aborted call does not use an early response', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { api } = createApi(promise);
  const aborting = new AbortController();
  const call = api.call('getConfig', { signal: aborting.signal });
  aborting.abort();
  resolve(Response.json({ version: 'early' }));
  await expect(call).rejects.toThrow('aborted');
});
