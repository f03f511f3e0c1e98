import { API_VERSION } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from '../api/client.ts';
import { createConnectionStore } from '../stores/connection.ts';
import { watchServerVersion } from './watch-server-version.ts';

let versions: { apiVersion: number; minApiVersion?: number };
const fetched = vi.fn<typeof fetch>(async () => Response.json(versions));

beforeEach(() => {
  fetched.mockClear();
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
