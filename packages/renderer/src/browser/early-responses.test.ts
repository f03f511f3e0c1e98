import { createApiClient } from '@parley/client';
import { endpoints } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createEarlyFetch } from './early-responses.ts';

const ORIGIN = 'http://localhost';
/** Has the fields of all called endpoints. */
const NEW = {
  apiVersion: 2,
  version: 'new',
  isVerified: true,
  chatrooms: [],
  currentUsername: 'ada',
};
const EARLY = { ...NEW, version: 'early' };
const send = vi.fn<typeof fetch>(async () => Response.json(NEW));

beforeEach(() => {
  send.mockClear();
  vi.stubGlobal('fetch', send);
});

/** Creates an API client with early responses for the configuration and the chat list. */
function createApi(config: Promise<Response> = Promise.resolve(Response.json(EARLY))) {
  const early = new Map([
    [ORIGIN + endpoints.getConfig.path, config],
    [ORIGIN + endpoints.listChats.path, Promise.resolve(Response.json(EARLY))],
  ]);
  const api = createApiClient({ origin: ORIGIN, fetch: createEarlyFetch(early), retryDelay: 0 });
  return { api, early };
}

test('takes an early response once', async () => {
  const { api } = createApi();
  expect(await api.call('getConfig')).toEqual(EARLY);
  expect(send).not.toHaveBeenCalled();
  expect(await api.call('getConfig')).toEqual(NEW);
});

test('keeps the entity tag of an early response', async () => {
  const { api } = createApi(Promise.resolve(Response.json(EARLY, { headers: { etag: '"a"' } })));
  expect(await api.callIfChanged('getConfig', undefined)).toEqual({ body: EARLY, etag: '"a"' });
});

test('any other request discards the early responses', async () => {
  const { api, early } = createApi();
  await api.call('login', { body: { email: 'a@example.org', password: 'secret' } });
  expect(early.size).toBe(0);
  expect(await api.call('listChats')).toEqual(NEW);
});

test('a failed early request is repeated', async () => {
  const failed = Promise.reject<Response>(new TypeError('Failed to fetch'));
  const { api } = createApi(failed);
  expect(await api.call('getConfig')).toEqual(NEW);
});

test('an aborted call does not use an early response', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { api } = createApi(promise);
  const aborting = new AbortController();
  const call = api.call('getConfig', { signal: aborting.signal });
  aborting.abort();
  resolve(Response.json(EARLY));
  await expect(call).rejects.toThrow('aborted');
});
