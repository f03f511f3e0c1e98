import { UI } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActivityStore } from '../stores/activity.ts';
import { createConnectionStore } from '../stores/connection.ts';
import { DEFAULT_TIMING } from '../timing.ts';
import { createPartnerActivity, type PartnerActivity } from './partner-activity.ts';

let stores: {
  activity: ReturnType<typeof createActivityStore>;
  connection: ReturnType<typeof createConnectionStore>;
};
let stopping: AbortController;
let activity: PartnerActivity;

beforeEach(() => {
  vi.useFakeTimers();
  stores = { activity: createActivityStore(), connection: createConnectionStore() };
  stores.connection.getState().setStatus('online');
  stopping = new AbortController();
  activity = createPartnerActivity({ stores, signal: stopping.signal, timing: DEFAULT_TIMING });
});
afterEach(() => {
  stopping.abort();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const typing = () => [...stores.activity.getState().typing];
const presence = () => stores.activity.getState().presence;
const showPresence = () => stores.activity.getState().setPresence({ a: { isOnline: true } });

test('shows the partner as typing for six seconds after the latest signal', () => {
  activity.showTyping('a');
  vi.advanceTimersByTime(UI.typingShown - 1);
  activity.showTyping('a');
  vi.advanceTimersByTime(UI.typingShown - 1);
  expect(typing()).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(typing()).toEqual([]);
});

test('stops showing partners as typing after a message or a disconnection', () => {
  activity.showTyping('a');
  activity.showTyping('b');
  activity.hideTyping('a');
  expect(typing()).toEqual(['b']);
  stores.connection.getState().setStatus('offline');
  expect(typing()).toEqual([]);
});

test('shows no presence without a connection', () => {
  showPresence();
  stores.connection.getState().setStatus('reconnecting');
  expect(presence()).toEqual({});
});

test('shows nothing once it is stopped', () => {
  showPresence();
  activity.showTyping('a');
  stopping.abort();
  expect(typing()).toEqual([]);
  expect(presence()).toEqual({});
});
