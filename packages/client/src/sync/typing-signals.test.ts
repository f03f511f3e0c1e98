import { UI } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActivityStore } from '../stores/activity.ts';
import { createConnectionStore } from '../stores/connection.ts';
import { createTyping, type Typing } from './typing-signals.ts';

const send = vi.fn<(chatroomId: string) => void>();
let stores: {
  activity: ReturnType<typeof createActivityStore>;
  connection: ReturnType<typeof createConnectionStore>;
};
let typing: Typing;

beforeEach(() => {
  vi.useFakeTimers();
  send.mockReset();
  stores = { activity: createActivityStore(), connection: createConnectionStore() };
  stores.connection.getState().setStatus('online');
  typing = createTyping({ stores, send });
});
afterEach(() => {
  typing.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const shown = () => [...stores.activity.getState().typing];

test('sends a signal at most every three seconds per chatroom', () => {
  for (let i = 0; i < 10; i += 1) typing.notify('a');
  typing.notify('b');
  expect(send.mock.calls).toEqual([['a'], ['b']]);
  vi.advanceTimersByTime(UI.typingInterval - 1);
  typing.notify('a');
  expect(send).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  typing.notify('a');
  expect(send).toHaveBeenCalledTimes(3);
});

test('sends nothing without a connection', () => {
  stores.connection.getState().setStatus('reconnecting');
  typing.notify('a');
  expect(send).not.toHaveBeenCalled();
  stores.connection.getState().setStatus('online');
  typing.notify('a');
  expect(send).toHaveBeenCalledOnce();
});

test('shows the partner as typing for six seconds after the latest signal', () => {
  typing.show('a');
  vi.advanceTimersByTime(UI.typingShown - 1);
  typing.show('a');
  vi.advanceTimersByTime(UI.typingShown - 1);
  expect(shown()).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
});

test('stops showing partners as typing after a message or a disconnection', () => {
  typing.show('a');
  typing.show('b');
  typing.hide('a');
  expect(shown()).toEqual(['b']);
  stores.connection.getState().setStatus('offline');
  expect(shown()).toEqual([]);
});
