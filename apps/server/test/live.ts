import { once } from 'node:events';
import type { PayloadHandlers, ServerEvents } from '@parley/contract';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { expect, onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { findEventProblem } from './event-problem.ts';
import type { TestClient, TestServer } from './harness.ts';

/** The events that a client might send. The server ignores all of them. */
type ClientEvents = Record<string, (...args: unknown[]) => unknown>;

/** A connection of the real client library to a test server. */
export interface LiveClient {
  socket: Socket<PayloadHandlers<ServerEvents>, ClientEvents>;
  /** All received events in order, with name and payload. */
  events: [name: string, payload: unknown][];
}

/**
 * Starts connecting without waiting. The end of the test closes the connection, and expects all events to be as the
 * contract says.
 */
export function dial(
  server: Pick<TestServer, 'url'>,
  { cookie }: Pick<TestClient, 'cookie'>,
  options: Partial<ManagerOptions & SocketOptions> = {},
): LiveClient {
  const socket: Socket<PayloadHandlers<ServerEvents>, ClientEvents> = io(server.url, {
    transports: ['websocket'],
    withCredentials: true,
    forceNew: true,
    ...options,
    extraHeaders: { ...(cookie !== '' && { cookie }), ...options.extraHeaders },
  });
  const problems = new Set<string>();
  onTestFinished(() => {
    socket.disconnect();
    expect([...problems]).toEqual([]);
  });
  const events: LiveClient['events'] = [];
  socket.onAny((name: string, payload: unknown) => {
    events.push([name, payload]);
    const problem = findEventProblem(name, payload);
    if (problem !== undefined) problems.add(problem);
  });
  return { socket, events };
}

/** Connects and waits until the server sends events. */
export async function connectLive(
  server: Pick<TestServer, 'url'>,
  client: Pick<TestClient, 'cookie'>,
): Promise<LiveClient> {
  const live = dial(server, client);
  await new Promise<void>((resolve, reject) => {
    live.socket.once('connect', resolve);
    live.socket.once('connect_error', reject);
  });
  return live;
}

/** A bare websocket for sending data that the client library never sends. */
export interface RawClient {
  socket: WebSocket;
  /** Returns the next frame. Rejects if the socket is closed instead. */
  next(): Promise<string>;
  /** The code and reason with which the server closed it. */
  closed: Promise<{ code: number; reason: string }>;
}

/** Path and query of a valid handshake. */
const HANDSHAKE = '/socket.io/?EIO=4&transport=websocket';

/** Starts an upgrade. */
export function upgrade(
  server: Pick<TestServer, 'url'>,
  { cookie }: Pick<TestClient, 'cookie'>,
  path = HANDSHAKE,
  options: ClientOptions = {},
): WebSocket {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, {
    ...options,
    headers: { ...(cookie !== '' && { cookie }), ...options.headers },
  });
  // Rejected or interrupted connections emit an error, which does not matter here.
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

/** Opens a bare websocket and receives the handshake. */
export async function openRaw(
  server: Pick<TestServer, 'url'>,
  client: Pick<TestClient, 'cookie'>,
): Promise<RawClient> {
  const socket = upgrade(server, client);
  const frames: string[] = [];
  let waiting: ((frame: string) => void) | undefined;
  socket.on('message', (data: Buffer) => {
    if (waiting === undefined) frames.push(data.toString());
    else waiting(data.toString());
    waiting = undefined;
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const raw: RawClient = {
    socket,
    closed,
    async next() {
      const frame = frames.shift();
      if (frame !== undefined) return frame;
      const arrived = new Promise<string>((resolve) => {
        waiting = resolve;
      });
      const ended = closed.then(({ code, reason }) => {
        throw new Error(`closed with ${code} ${reason}`);
      });
      return Promise.race([arrived, ended]);
    },
  };
  await once(socket, 'open');
  return raw;
}

/** Opens a bare websocket and waits until the server sends events. */
export async function connectRaw(
  server: Pick<TestServer, 'url'>,
  client: Pick<TestClient, 'cookie'>,
): Promise<RawClient> {
  const raw = await openRaw(server, client);
  await raw.next();
  raw.socket.send('40');
  await raw.next();
  return raw;
}

/** Returns the status, the Retry-After header and the body with which an upgrade is rejected. */
export async function refusal(
  socket: WebSocket,
): Promise<{ status: number | undefined; retryAfter: string | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('the upgrade was accepted')));
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          retryAfter: response.headers['retry-after'],
          body: JSON.parse(text),
        }),
      );
    });
  });
}
