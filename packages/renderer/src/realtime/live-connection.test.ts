import { beforeEach, expect, test, vi } from 'vitest';
import { useConnection } from '../stores/connection.ts';
import type { StoreEvents } from './event-handlers.ts';
import { startLive } from './live-connection.ts';
import type { LiveSocket } from './socket.ts';

/** Answers of the socket that a test makes up. */
let hear: Map<string, (event: unknown) => void>;
const socket = {
  connected: true,
  on: (name: string, listener: (event: unknown) => void) => hear.set(name, listener),
  off: () => hear.clear(),
  connect: () => undefined,
  disconnect: () => undefined,
} as unknown as LiveSocket;

beforeEach(() => {
  hear = new Map();
  vi.stubGlobal('window', new EventTarget());
});

test('an event that makes no sense stops neither the catch-up nor the events after it', async () => {
  const report = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', report);
  const applied: unknown[] = [];
  const handlers = {
    message: (message: { sender: { username: string } }) => applied.push(message.sender.username),
  } as unknown as StoreEvents;
  const live = startLive({
    socket,
    handlers,
    resync: async () => undefined,
    onLive: () => undefined,
    onRefused: () => undefined,
    onSessionEnded: () => undefined,
  });
  hear.get('connect')?.(undefined);
  hear.get('message')?.(null);
  hear.get('message')?.({ sender: { username: 'ada' } });
  await vi.waitFor(() => expect(useConnection.getState().status).toBe('online'));
  hear.get('message')?.({});
  hear.get('message')?.({ sender: { username: 'bob' } });
  expect(applied).toEqual(['ada', 'bob']);
  expect(report).toHaveBeenCalledTimes(2);
  live.stop();
});
