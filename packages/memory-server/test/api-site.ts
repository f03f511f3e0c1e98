import { join } from 'node:path';
import { endpoints, fillPath, type EndpointName } from '@parley/contract';
import { startServer } from '@parley/server/test-server';
import { keyFromOutbox } from '@parley/testing';
import { io, type Socket } from 'socket.io-client';
import { createMemoryServer, type LiveEvent } from '../src/index.ts';

/** A call of an endpoint. `form` is the body of an upload. */
export interface ApiCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** A response, with the parsed body. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A browser of a user or a guest. */
export interface ApiDevice {
  readonly call: (name: EndpointName, call?: ApiCall) => Promise<ApiAnswer>;
  /** Opens the live connection. `events` contains what arrives from then on. */
  readonly connect: () => Promise<void>;
  readonly events: LiveEvent[];
  readonly signal: (name: string, payload: unknown) => void;
  readonly isConnected: () => boolean;
}

/** A server of the API, the real one or the one in memory. */
export interface ApiSite {
  readonly origin: string;
  /** Creates an account with the password `password`, and a browser in which the user is signed in. */
  readonly signUp: (username: string) => Promise<ApiDevice>;
  readonly openGuest: () => ApiDevice;
  /** The key that was emailed last, for a username if one is given. */
  readonly keyFor: (email: string, username?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

function createCall(origin: string, send: Send): ApiDevice['call'] {
  return async (name, { params = {}, query, body, form } = {}) => {
    const { method, path } = endpoints[name];
    const url = new URL(origin + fillPath(path, params));
    for (const [key, value] of Object.entries(query ?? {})) {
      url.searchParams.set(key, String(value));
    }
    const response = await send(url.href, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      ...(form && { body: form }),
    });
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      body: isJson ? await response.json() : [...new Uint8Array(await response.arrayBuffer())],
    };
  };
}

/** Starts the real server in this process. */
export async function startRealSite(): Promise<ApiSite> {
  const server = await startServer();
  const sockets: Socket[] = [];
  const openDevice = (client: { cookie: string }): ApiDevice => {
    const events: LiveEvent[] = [];
    let socket: Socket | undefined;
    return {
      events,
      isConnected: () => socket?.connected === true,
      call: createCall(server.url, async (url, init) => {
        const headers = new Headers(init.headers);
        if (client.cookie !== '') headers.set('cookie', client.cookie);
        const response = await fetch(url, { ...init, headers });
        for (const line of response.headers.getSetCookie()) {
          if (line.startsWith('parley.sid=')) client.cookie = line.split(';')[0] ?? '';
        }
        return response;
      }),
      connect: async () => {
        const opened = io(server.url, {
          transports: ['websocket'],
          forceNew: true,
          reconnection: false,
          extraHeaders: { cookie: client.cookie },
        });
        opened.onAny((name, payload) => events.push({ name, payload }));
        sockets.push(opened);
        await new Promise<void>((done, reject) => {
          opened.once('connect', done);
          opened.once('connect_error', reject);
        });
        socket = opened;
      },
      signal: (name, payload) => void socket?.emit(name, payload),
    };
  };
  return {
    origin: server.url,
    signUp: async (username) => openDevice(await server.signIn(username)),
    openGuest: () => openDevice(server.client()),
    keyFor: (email, username) => keyFromOutbox(join(server.dataDir, 'outbox'), email, username),
    close: async () => {
      for (const socket of sockets) socket.disconnect();
      await server.close();
    },
  };
}

/** Creates a server in memory. */
export function createMemorySite(): ApiSite {
  const server = createMemoryServer();
  const openDevice = (username?: string): ApiDevice => {
    const browser = server.openBrowser(username);
    const events: LiveEvent[] = [];
    let connection: ReturnType<typeof browser.connect>;
    return {
      events,
      isConnected: () => connection !== undefined,
      call: createCall(server.origin, browser.fetch),
      connect: async () => {
        connection = browser.connect({
          onEvent: (event) => events.push(event),
          onClose: () => (connection = undefined),
        });
        if (!connection) throw new Error('the connection was refused');
      },
      signal: (name, payload) => connection?.signal(name, payload),
    };
  };
  return {
    origin: server.origin,
    signUp: async (username) => {
      server.addUser({ username, password: 'password' });
      return openDevice(username);
    },
    openGuest: () => openDevice(),
    keyFor: async (email) => server.keyFor(email),
    close: async () => undefined,
  };
}
