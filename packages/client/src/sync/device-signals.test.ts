import { UI } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnectionStore } from '../stores/connection.ts';
import { createViewStore } from '../stores/view.ts';
import { DEFAULT_TIMING } from '../timing.ts';
import { createDeviceSignals, type DeviceSignals } from './device-signals.ts';

let sent: { name: string; payload: unknown }[];
const unwatch = vi.fn<() => void>();
let stores: {
  view: ReturnType<typeof createViewStore>;
  connection: ReturnType<typeof createConnectionStore>;
};
let isFocused: boolean;
let focusChanged: () => void;
let setInUse: (isInUse: boolean) => void;
let stopping: AbortController;
let signals: DeviceSignals;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  sent = [];
  stores = { view: createViewStore(), connection: createConnectionStore() };
  isFocused = true;
  stopping = new AbortController();
  signals = createDeviceSignals({
    platform: {
      isFocused: () => isFocused,
      watchFocus: (listener) => {
        focusChanged = listener;
        return unwatch;
      },
      watchUse: (listener) => {
        setInUse = listener;
        listener(true);
        return unwatch;
      },
    },
    stores,
    signal: stopping.signal,
    timing: DEFAULT_TIMING,
    send: (name, payload) => sent.push({ name, payload }),
  });
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

const payloads = (name: string): unknown[] =>
  sent.filter((each) => each.name === name).map(({ payload }) => payload);
const viewed = () =>
  payloads('attend').map((payload) => (payload as { chatroom: string | null }).chatroom);
const typed = () => payloads('typing').map((payload) => (payload as { chatroom: string }).chatroom);
const setStatus = (status: 'online' | 'reconnecting') =>
  stores.connection.getState().setStatus(status);

function connect(): void {
  setStatus('online');
  signals.flush();
}

const viewChatroom = (id: string | undefined) => stores.view.getState().setView(id, false);

test('says whether the device is in use after each connect and when it changes', () => {
  expect(sent).toEqual([]);
  connect();
  setInUse(false);
  setInUse(false);
  expect(payloads('presence')).toEqual([{ isActive: true }, { isActive: false }]);
  setStatus('reconnecting');
  setInUse(true);
  expect(payloads('presence')).toHaveLength(2);
  connect();
  expect(payloads('presence').at(-1)).toEqual({ isActive: true });
});

test('tells the open chatroom after each connect and whenever it changes', () => {
  viewChatroom('a');
  expect(sent).toEqual([]);
  connect();
  viewChatroom('b');
  viewChatroom(undefined);
  expect(viewed()).toEqual(['a', 'b', null]);
  setStatus('reconnecting');
  viewChatroom('c');
  expect(viewed()).toHaveLength(3);
  connect();
  expect(viewed().at(-1)).toBe('c');
});

test('reports no chatroom in view while the page does not have the focus', () => {
  viewChatroom('a');
  connect();
  isFocused = false;
  focusChanged();
  expect(viewed().at(-1)).toBeNull();
  viewChatroom('b');
  expect(viewed()).toHaveLength(2);
  isFocused = true;
  focusChanged();
  focusChanged();
  expect(viewed()).toEqual(['a', null, 'b']);
});

test('does not send again when the room is only scrolled', () => {
  viewChatroom('a');
  connect();
  stores.view.getState().setView('a', true);
  expect(viewed()).toEqual(['a']);
});

test('sends that the user is typing at most every three seconds per chatroom', () => {
  connect();
  for (let i = 0; i < 10; i += 1) signals.notifyTyping('a');
  signals.notifyTyping('b');
  expect(typed()).toEqual(['a', 'b']);
  vi.advanceTimersByTime(UI.typingInterval - 1);
  signals.notifyTyping('a');
  expect(typed()).toHaveLength(2);
  vi.advanceTimersByTime(1);
  signals.notifyTyping('a');
  expect(typed()).toHaveLength(3);
});

test('does not send that the user is typing without a connection', () => {
  setStatus('reconnecting');
  signals.notifyTyping('a');
  expect(typed()).toEqual([]);
  setStatus('online');
  signals.notifyTyping('a');
  expect(typed()).toEqual(['a']);
});

test('stops watching once it is stopped', () => {
  connect();
  stopping.abort();
  expect(unwatch).toHaveBeenCalledTimes(2);
  viewChatroom('a');
  expect(viewed()).toEqual([null]);
});
