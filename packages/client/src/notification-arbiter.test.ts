import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryLocks } from './headless-platform.ts';
import { createNotificationArbiter, type IncomingMessage } from './notification-arbiter.ts';

interface Tab {
  name: string;
  isSeen?: boolean;
  isRead?: boolean;
  canPlaySounds?: boolean;
}

let alerts: string[];
let arbiters: ((incoming: IncomingMessage) => void)[];
let closing: AbortController;

const incoming = (key: string): IncomingMessage => ({
  key,
  chatroomId: 'room',
  name: 'Bob',
  kind: 'text',
  content: 'hi',
});

/** Creates arbiters that act as the tabs of one browser. */
function openTabs(...tabs: Tab[]): void {
  const locks = createMemoryLocks();
  const listeners = new Map<string, (text: string) => void>();
  arbiters = tabs.map((tab) =>
    createNotificationArbiter({
      platform: {
        locks,
        canPlaySounds: () => tab.canPlaySounds ?? true,
        openChannel: (_channel, listener) => {
          listeners.set(tab.name, listener);
          return {
            post: (text) => {
              for (const [other, listen] of listeners) if (other !== tab.name) listen(text);
            },
            close: () => listeners.delete(tab.name),
          };
        },
      },
      signal: closing.signal,
      isSeen: () => tab.isSeen ?? false,
      isRead: () => tab.isRead ?? false,
      onUnseen: ({ key }) => alerts.push(`${tab.name}: ${key}`),
    }),
  );
}

function announce(key: string): void {
  for (const arbiter of arbiters) arbiter(incoming(key));
}

beforeEach(() => {
  vi.useFakeTimers();
  alerts = [];
  arbiters = [];
  closing = new AbortController();
});

afterEach(() => {
  closing.abort();
  vi.useRealTimers();
});

test('exactly one of several tabs notifies the user of a message', async () => {
  openTabs({ name: 'first' }, { name: 'second' });
  announce('m1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(alerts).toEqual(['first: m1']);
  announce('m2');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual(['first: m1', 'first: m2']);
});

test('no tab notifies the user of a message that they see before a tab is chosen', async () => {
  const front = { name: 'front', isSeen: false };
  openTabs(front, { name: 'background', canPlaySounds: false });
  announce('m1');
  front.isSeen = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual([]);
});

test('no tab notifies the user of a message that was read on another device meanwhile', async () => {
  const tab = { name: 'only', isRead: false };
  openTabs(tab);
  announce('m1');
  tab.isRead = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual([]);
});

test('no tab notifies the user of a message that they see in another tab', async () => {
  openTabs({ name: 'background' }, { name: 'front', isSeen: true });
  announce('m1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual([]);
});

test('a tab that may not play sounds lets another tab notify the user', async () => {
  openTabs({ name: 'untouched', canPlaySounds: false }, { name: 'touched' });
  announce('m1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual(['touched: m1']);
});

test('a tab that may not play sounds notifies the user if it is the only tab', async () => {
  openTabs({ name: 'untouched', canPlaySounds: false });
  announce('m1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual(['untouched: m1']);
});

test('a closed tab no longer notifies the user', async () => {
  openTabs({ name: 'only' });
  announce('m1');
  closing.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alerts).toEqual([]);
});
