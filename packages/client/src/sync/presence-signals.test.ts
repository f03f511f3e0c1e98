import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActivityStore } from '../stores/activity.ts';
import { createConnectionStore } from '../stores/connection.ts';
import { startPresence, type Presence } from './presence-signals.ts';

const send = vi.fn<(isActive: boolean) => void>();
const unwatch = vi.fn<() => void>();
let stores: {
  activity: ReturnType<typeof createActivityStore>;
  connection: ReturnType<typeof createConnectionStore>;
};
let setInUse: (isInUse: boolean) => void;
let presence: Presence;

beforeEach(() => {
  vi.clearAllMocks();
  stores = { activity: createActivityStore(), connection: createConnectionStore() };
  presence = startPresence({
    platform: {
      watchUse: (listener) => {
        setInUse = listener;
        listener(true);
        return unwatch;
      },
    },
    stores,
    send,
  });
});
afterEach(() => presence.stop());

const shown = () => stores.activity.getState().presence;
const goOnline = () => stores.connection.getState().setStatus('online');

test('says whether the device is in use after each connect and when it changes', () => {
  expect(send).not.toHaveBeenCalled();
  goOnline();
  presence.flush();
  setInUse(false);
  setInUse(false);
  expect(send.mock.calls).toEqual([[true], [false]]);
  stores.connection.getState().setStatus('reconnecting');
  setInUse(true);
  expect(send).toHaveBeenCalledTimes(2);
  goOnline();
  presence.flush();
  expect(send).toHaveBeenLastCalledWith(true);
});

test('shows what the server tells, the complete list in place of everything before', () => {
  goOnline();
  const offline = { isOnline: false, lastSeenAt: '2025-03-01T09:30:00.000Z' };
  presence.show({ rooms: { a: { isOnline: true }, b: offline }, isComplete: true });
  presence.show({ rooms: { a: offline }, isComplete: false });
  expect(shown()).toEqual({ a: offline, b: offline });
  presence.show({ rooms: { a: null }, isComplete: false });
  expect(shown()).toEqual({ b: offline });
  presence.show({ rooms: { c: { isOnline: true } }, isComplete: true });
  expect(shown()).toEqual({ c: { isOnline: true } });
});

test('shows nothing without a connection', () => {
  goOnline();
  presence.show({ rooms: { a: { isOnline: true } }, isComplete: true });
  stores.connection.getState().setStatus('reconnecting');
  expect(shown()).toEqual({});
});

test('stops watching and shows nothing once it is stopped', () => {
  goOnline();
  presence.show({ rooms: { a: { isOnline: true } }, isComplete: true });
  presence.stop();
  expect(unwatch).toHaveBeenCalledOnce();
  expect(shown()).toEqual({});
});
