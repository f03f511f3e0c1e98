import { API_VERSION } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, createApiClient } from '../api/client.ts';
import { createConnectionStore } from '../stores/connection.ts';
import { watchServerVersion } from './watch-server-version.ts';

let versions: { apiVersion: number; minApiVersion?: number };
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json(versions));
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Starts watching, then simulates a disconnection and a reconnect. */
async function reconnect() {
  const onMismatch = vi.fn();
  const connection = createConnectionStore();
  const { setStatus } = connection.getState();
  setStatus('online');
  watchServerVersion(createApiClient({ origin: 'http://chat.test' }), connection, onMismatch);
  setStatus('reconnecting');
  expect(fetched).not.toHaveBeenCalled();
  setStatus('online');
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(fetched).toHaveResolved());
  // Waits for the queued tasks that parse the configuration.
  await new Promise((resolve) => setTimeout(resolve));
  return onMismatch;
}

test('reports a server that is back with a higher minimum version', async () => {
  versions = { apiVersion: API_VERSION + 1, minApiVersion: API_VERSION + 1 };
  const onMismatch = await reconnect();
  await vi.waitFor(() => expect(onMismatch).toHaveBeenCalledExactlyOnceWith(versions));
});

test.each([
  ['the same version', { apiVersion: API_VERSION, minApiVersion: API_VERSION }],
  ['a newer version that still works', { apiVersion: API_VERSION + 1, minApiVersion: API_VERSION }],
  ['no minimum', { apiVersion: API_VERSION }],
])('ignores a server that is back with %s', async (_name, found) => {
  versions = found;
  expect(await reconnect()).not.toHaveBeenCalled();
});

/** Watches a server that was never disconnected. */
function watch() {
  const onMismatch = vi.fn();
  const api = createApiClient({ origin: 'http://chat.test' });
  const version = watchServerVersion(api, createConnectionStore(), onMismatch);
  return { ...version, onMismatch };
}

test('tells whether the version is supported, and does not know without a response', async () => {
  const { isSupported, onMismatch } = watch();
  versions = { apiVersion: API_VERSION };
  expect(await Promise.all([isSupported(), isSupported()])).toEqual([true, true]);
  expect(fetched).toHaveBeenCalledOnce();
  versions = { apiVersion: API_VERSION + 1 };
  expect(await isSupported()).toBe(false);
  expect(onMismatch).toHaveBeenCalledExactlyOnceWith(versions);
  fetched.mockRejectedValue(new TypeError('no network'));
  expect(await isSupported()).toBe(false);
  expect(onMismatch).toHaveBeenCalledOnce();
});

test.each<[string, ConstructorParameters<typeof ApiError>, boolean]>([
  ['a refusal', ['invalid_request', 400, 'no'], true],
  ['a response that it cannot read', ['unreadable', 200, 'no'], true],
  ['no response', ['offline', 0, 'no'], false],
  ['the end of the session', ['unauthenticated', 401, 'no'], false],
  ['a maintenance page', ['internal', 503, 'no', { isForeign: true }], false],
])('asks the server after some failures only: %s', async (_name, error, isAsked) => {
  versions = { apiVersion: API_VERSION + 1 };
  const { checkAfter, onMismatch } = watch();
  checkAfter(new ApiError(...error));
  if (isAsked) await vi.waitFor(() => expect(onMismatch).toHaveBeenCalled());
  else await new Promise((resolve) => setTimeout(resolve));
  expect(fetched).toHaveBeenCalledTimes(isAsked ? 1 : 0);
});
