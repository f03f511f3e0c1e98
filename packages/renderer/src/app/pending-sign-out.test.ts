import { ApiError, createMemoryStorage, type ApiClient } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  clearPendingSignOut,
  completePendingSignOut,
  savePendingSignOut,
} from './pending-sign-out.ts';

const call = vi.fn<() => Promise<unknown>>();
const api = {
  origin: 'http://localhost',
  checkUser: () => undefined,
  call,
} as unknown as ApiClient;
const clearCache = vi.fn<typeof fetch>(async () => Response.json({ ok: true }));
const offline = new ApiError('offline', 0, 'no connection');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', createMemoryStorage());
  call.mockReset();
  clearCache.mockClear();
  vi.stubGlobal('fetch', clearCache);
});

afterEach(async () => {
  call.mockResolvedValue({});
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

test('ends the session on the server once', async () => {
  savePendingSignOut();
  call.mockResolvedValue({});
  expect(await completePendingSignOut(api)).toBe(true);
  expect(await completePendingSignOut(api)).toBe(true);
  expect(call).toHaveBeenCalledExactlyOnceWith('logout');
});

test('clears the cache of the browser once the session has ended on the server', async () => {
  savePendingSignOut();
  call.mockRejectedValueOnce(offline);
  await completePendingSignOut(api);
  expect(clearCache).not.toHaveBeenCalled();
  call.mockResolvedValue({});
  await completePendingSignOut(api);
  expect(clearCache).toHaveBeenCalledExactlyOnceWith(
    'http://localhost/api/users/clear-cache',
    expect.objectContaining({ method: 'POST', keepalive: true }),
  );
});

test('retries a failed sign-out until it succeeds, with one timer for all callers', async () => {
  savePendingSignOut();
  call.mockRejectedValue(offline);
  expect(await completePendingSignOut(api)).toBe(false);
  expect(await completePendingSignOut(api)).toBe(false);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersToNextTimerAsync();
  expect(call).toHaveBeenCalledTimes(3);
  call.mockRejectedValue(new ApiError('unauthenticated', 401, 'no session'));
  await vi.advanceTimersToNextTimerAsync();
  expect(call).toHaveBeenCalledTimes(4);
  expect(vi.getTimerCount()).toBe(0);
  expect(await completePendingSignOut(api)).toBe(true);
});

test('does not end the session of a user who has signed in again', async () => {
  savePendingSignOut();
  call.mockRejectedValue(offline);
  await completePendingSignOut(api);
  clearPendingSignOut();
  await vi.advanceTimersToNextTimerAsync();
  expect(call).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
