import type { PayloadHandlers, ServerEvents } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createConnectionStore } from '../stores/connection.ts';
import type { StoreEvents } from './event-handlers.ts';
import { startLiveConnection } from './live-connection.ts';
import type { ClientSocket } from './socket.ts';

let listeners: Map<string, (event: unknown) => void>;
let stopping: AbortController;
const socket = {
  connected: true,
  on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
  off: () => listeners.clear(),
  connect: () => undefined,
  disconnect: () => undefined,
} as unknown as ClientSocket;

beforeEach(() => {
  listeners = new Map();
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

test('a failing event stops neither the resync nor later events', async () => {
  const logFailure = vi.fn<(what: string, error: unknown) => void>();
  const connection = createConnectionStore();
  const applied: unknown[] = [];
  const handlers = {
    message: (message: { sender: { username: string } }) => applied.push(message.sender.username),
  } as unknown as StoreEvents;
  startLiveConnection({
    signal: stopping.signal,
    platform: createHeadlessPlatform(undefined, { logFailure }),
    connection,
    socket,
    handlers,
    resync: async () => undefined,
    onReachable: () => undefined,
    onPolled: () => undefined,
    onRefused: () => undefined,
    onSessionEnded: () => undefined,
  });
  listeners.get('connect')?.(undefined);
  listeners.get('message')?.(null);
  listeners.get('message')?.({ sender: { username: 'ada' } });
  await vi.waitFor(() => expect(connection.getState().status).toBe('online'));
  listeners.get('message')?.({});
  listeners.get('message')?.({ sender: { username: 'bob' } });
  expect(applied).toEqual(['ada', 'bob']);
  expect(logFailure).toHaveBeenCalledTimes(2);
});

test('retries a connection that the server refused after the handshake', async () => {
  const connect = vi.fn<() => void>();
  const onRefused = vi.fn<() => void>();
  startLiveConnection({
    signal: stopping.signal,
    platform: createHeadlessPlatform(),
    connection: createConnectionStore(),
    // Like `socket.io-client` after a CONNECT_ERROR packet, the socket no longer retries.
    socket: Object.assign({}, socket, { active: false, connect }),
    handlers: {} as StoreEvents,
    resync: async () => undefined,
    onReachable: () => undefined,
    onPolled: () => undefined,
    onRefused,
    onSessionEnded: () => undefined,
    timing: { resyncRetryMin: 1, pollMin: 60_000, pollMax: 60_000 },
  });
  connect.mockClear();
  listeners.get('connect_error')?.(new Error('unauthenticated'));
  expect(onRefused).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(connect).toHaveBeenCalledOnce());
});

test('passes each event to its handler, also a new one, which is a type error without', () => {
  interface NewerEvents extends ServerEvents {
    readonly wave: { readonly hands: number };
  }
  const applied: unknown[] = [];
  const known = { message: () => undefined } as unknown as StoreEvents;
  // @ts-expect-error -- there is no handler
  const missing: PayloadHandlers<Omit<NewerEvents, 'session-ended'>> = known;
  const handlers: PayloadHandlers<Omit<NewerEvents, 'session-ended'>> = {
    ...missing,
    wave: ({ hands }) => applied.push(hands),
  };
  const connection = createConnectionStore();
  startLiveConnection({
    signal: stopping.signal,
    platform: createHeadlessPlatform(),
    connection,
    socket,
    handlers,
    resync: async () => undefined,
    onReachable: () => undefined,
    onPolled: () => undefined,
    onRefused: () => undefined,
    onSessionEnded: () => undefined,
  });
  expect([...listeners.keys()].filter((name) => !/^(?:dis)?connect/.test(name))).toEqual([
    'message',
    'wave',
    'session-ended',
  ]);
  listeners.get('connect')?.(undefined);
  listeners.get('wave')?.({ hands: 2 });
  return vi.waitFor(() => expect(applied).toEqual([2]));
});
