import { beforeEach, expect, test, vi } from 'vitest';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createConnectionStore } from '../stores/connection.ts';
import type { StoreEvents } from './event-handlers.ts';
import { startLiveConnection } from './live-connection.ts';
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
});

test('an event that makes no sense stops neither the resync nor the events after it', async () => {
  const logFailure = vi.fn<(what: string, error: unknown) => void>();
  const connection = createConnectionStore();
  const applied: unknown[] = [];
  const handlers = {
    message: (message: { sender: { username: string } }) => applied.push(message.sender.username),
  } as unknown as StoreEvents;
  const live = startLiveConnection({
    platform: createHeadlessPlatform(undefined, { logFailure }),
    connection,
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
  await vi.waitFor(() => expect(connection.getState().status).toBe('online'));
  hear.get('message')?.({});
  hear.get('message')?.({ sender: { username: 'bob' } });
  expect(applied).toEqual(['ada', 'bob']);
  expect(logFailure).toHaveBeenCalledTimes(2);
  live.stop();
});

test('a connection that the server refuses after the handshake is tried again', async () => {
  const connect = vi.fn<() => void>();
  const onRefused = vi.fn<() => void>();
  const live = startLiveConnection({
    platform: createHeadlessPlatform(),
    connection: createConnectionStore(),
    // As `socket.io-client` does on a CONNECT_ERROR packet, it has given up.
    socket: Object.assign({}, socket, { active: false, connect }),
    handlers: {} as StoreEvents,
    resync: async () => undefined,
    onLive: () => undefined,
    onRefused,
    onSessionEnded: () => undefined,
    timing: { resyncRetryMin: 1 },
  });
  connect.mockClear();
  hear.get('connect_error')?.(new Error('unauthenticated'));
  expect(onRefused).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(connect).toHaveBeenCalledOnce());
  live.stop();
});
