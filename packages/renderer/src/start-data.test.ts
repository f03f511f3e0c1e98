import { ApiError, createMemoryStorage, type ApiClient } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearPendingSignOut, savePendingSignOut } from './app/pending-sign-out.ts';
import { PATHS } from './navigation/paths.ts';
import { fetchStartData } from './start-data.ts';

const config = { version: '1.0.0' };
const user = { username: 'Ada' };
let canLogOut: boolean;
let userError: ApiError | undefined;
const call = vi.fn<(name: string) => Promise<unknown>>(async (name) => {
  if (name === 'getConfig') return config;
  if (name === 'getCurrentUser') {
    if (userError) throw userError;
    return user;
  }
  if (!canLogOut) throw new ApiError('internal', 500, 'the logout failed');
  return {};
});
const api = {
  origin: 'http://localhost',
  checkUser: () => undefined,
  call,
} as unknown as ApiClient;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', createMemoryStorage());
  canLogOut = true;
  userError = undefined;
  call.mockClear();
});

afterEach(async () => {
  vi.restoreAllMocks();
  clearPendingSignOut();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

test('fetches the configuration and the current user', async () => {
  expect(await fetchStartData(api, PATHS.chats)).toEqual({ config, user });
});

test('treats a user whose sign-out is pending as a guest until the server has ended the session', async () => {
  savePendingSignOut();
  canLogOut = false;
  expect(await fetchStartData(api, PATHS.chats)).toEqual({ config, user: undefined });
  expect(call).not.toHaveBeenCalledWith('getCurrentUser');
  canLogOut = true;
  await vi.runAllTimersAsync();
  call.mockClear();
  await fetchStartData(api, PATHS.chats);
  expect(call).not.toHaveBeenCalledWith('logout');
});

test('logs a start without the server as information, and other failures as errors', async () => {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  userError = new ApiError('offline', 0, 'no server');
  await expect(fetchStartData(api, PATHS.chats)).rejects.toBe(userError);
  expect(info).toHaveBeenCalledOnce();
  expect(error).not.toHaveBeenCalled();
  userError = new ApiError('internal', 500, 'broken');
  await expect(fetchStartData(api, PATHS.chats)).rejects.toBe(userError);
  expect(info).toHaveBeenCalledOnce();
  expect(error).toHaveBeenCalledOnce();
});
