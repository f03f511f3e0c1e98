import { once } from 'node:events';
import type { ServerEvents } from '@parley/contract';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import type { TestClient, TestServer } from './harness.ts';

/** Whatever a client might say: the server takes nothing. */
type ClientEvents = Record<string, (...args: unknown[]) => unknown>;

/** The real client library on a test server. */
export interface LiveClient {
  socket: Socket<ServerEvents, ClientEvents>;
  /** Everything that arrived, in order: name and payload. */
  events: [name: string, payload: unknown][];
}

/** Starts to connect; does not wait. Ends with the test, as everything here does. */
export function dial(
  server: Pick<TestServer, 'url'>,
  { cookie }: Pick<TestClient, 'cookie'>,
  options: Partial<ManagerOptions & SocketOptions> = {},
): LiveClient {
  const socket: Socket<ServerEvents, ClientEvents> = io(server.url, {
    transports: ['websocket'],
    withCredentials: true,
    forceNew: true,
    ...options,
    extraHeaders: { ...(cookie !== '' && { cookie }), ...options.extraHeaders },
  });
  onTestFinished(() => void socket.disconnect());
  const events: LiveClient['events'] = [];
  socket.onAny((name: string, payload: unknown) => events.push([name, payload]));
  return { socket, events };
}

/** Connects and waits until events flow. */
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

/** A bare websocket, for what the library would never send. */
export interface RawClient {
  socket: WebSocket;
  /** The next frame, one after another. Rejects when the socket closes instead. */
  next(): Promise<string>;
  /** How the server closed it. */
  closed: Promise<{ code: number; reason: string }>;
}

/** The query of a proper handshake. */
const HANDSHAKE = '/socket.io/?EIO=4&transport=websocket';

/** Begins an upgrade. */
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
  // A connection that is refused or cut ends with an error; that it ends is what counts.
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

/** Opens a bare websocket and takes in the handshake. */
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

/** Opens a bare websocket up to the point from which events flow. */
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

/** The status, headers and body with which an upgrade is refused. */
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
