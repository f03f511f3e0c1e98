import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedChatroom,
  type Client,
} from '../src/index.ts';
import { DEFAULT_TIMING } from '../src/timing.ts';
import { sessionOf } from './session-of.ts';

let server: TestServer;
let proxy: Proxy;
let ada: TestUser;
let bob: TestUser;
let room: string;
const clients: Client[] = [];

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });
const TIMING = {
  ...DEFAULT_TIMING,
  pollMin: 10,
  pollMax: 20,
  reconnectMin: 5,
  reconnectMax: 10,
  resyncRetryMin: 10,
  resyncRetryMax: 20,
  // A message that fails is not repeated within a test.
  sendRetryMin: 600_000,
  sendRetryMax: 600_000,
};

/** A proxy in front of the server that can refuse what a user's network refuses. */
class Proxy {
  /**
   * What happens to websockets. A closed one ends after the upgrade, before the server's handshake. A swallowed one
   * gets no response.
   */
  websockets: 'passed' | 'refused' | 'closed' | 'swallowed' = 'passed';
  /** Paths that fail with 500. */
  failing: string | undefined;
  /** Ends all connections without a response. */
  isDown = false;
  /** Number of requests that got no response. */
  refused = 0;
  upgrades = 0;
  /** Paths of the requests. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#server = createServer((incoming, response) => {
      this.requests.push(incoming.url ?? '');
      if (this.isDown) {
        this.refused += 1;
        response.destroy();
        return;
      }
      if (incoming.url === this.failing) {
        response.writeHead(500).end();
        return;
      }
      const { url: path, method, headers } = incoming;
      const passed = request({ hostname, port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      incoming.pipe(passed);
    });
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      this.upgrades += 1;
      this.#track(socket);
      if (this.isDown) socket.destroy();
      else if (this.websockets === 'refused') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      else if (this.websockets === 'closed') socket.end(acceptUpgrade(incoming));
      else if (this.websockets === 'swallowed') socket.resume();
      else this.#pass(incoming, socket, Number(port), hostname);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes the open websockets. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #pass({ url, rawHeaders }: IncomingMessage, socket: Socket, port: number, host: string): void {
    const lines = [`GET ${url} HTTP/1.1`];
    for (let i = 0; i < rawHeaders.length; i += 2)
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    const upstream = connect(port, host, () => upstream.write(`${lines.join('\r\n')}\r\n\r\n`));
    this.#track(upstream);
    upstream.pipe(socket).pipe(upstream);
  }
}

function acceptUpgrade({ headers }: IncomingMessage): string {
  const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
  return ['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n');
}

beforeEach(async () => {
  server = await startServer();
  proxy = new Proxy(server.url);
  await proxy.listen();
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
  const created = await bob.request('POST', '/api/chatrooms/create', {
    partnerName: 'Ada',
    content: 'first',
  });
  room = created.body.chatroomId;
  await ada.request('POST', `/api/chatrooms/chats/${room}/accept`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  proxy.close();
  await server.close();
});

/** Starts Ada's client behind the proxy. */
function start(): Client {
  const session = sessionOf(ada);
  const client = createClient({
    api: createApiClient({ origin: proxy.url, fetch: session.fetch, retryDelay: 1 }),
    username: 'Ada',
    platform: createHeadlessPlatform(session),
    timing: TIMING,
  });
  clients.push(client);
  return client;
}

const statusOf = (client: Client) => client.connection.getState().status;
const textsOf = (client: Client) =>
  findLoadedChatroom(client.rooms.getState(), room)?.messages.map(({ content }) => content);
/** Waits for some polls. */
async function polls(): Promise<void> {
  const listChanges = () =>
    proxy.requests.filter((path) => path === '/api/chatrooms/changes').length;
  const before = listChanges();
  await until(() => expect(listChanges()).toBeGreaterThan(before + 5));
}
const sendAsBob = (content: string) =>
  bob.request('POST', '/api/messages/send', { chatroom: room, content });

test('without websockets, messages, unread counts and ticks arrive all the same', async () => {
  proxy.websockets = 'refused';
  const client = start();
  await client.open(room);
  await until(() => expect(statusOf(client)).toBe('polling'));
  expect(client.connection.getState().disconnectedAt).toBeUndefined();

  await sendAsBob('do you see this?');
  await until(() => expect(textsOf(client)).toEqual(['first', 'do you see this?']));
  await until(() => expect(client.chats.getState().chats[0]).toMatchObject({ unread: 2 }));
  client.send(room, 'I do');
  await until(() => expect(textsOf(client)).toContain('I do'));
  await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`);
  await until(() =>
    expect(client.chats.getState().chats[0]?.receipt).toMatchObject({ readSeq: 3 }),
  );

  proxy.websockets = 'passed';
  await until(() => expect(statusOf(client)).toBe('online'));
  await sendAsBob('live again');
  await until(() => expect(textsOf(client)).toContain('live again'));
});

test('a network that swallows websockets is told and polled without waiting for their timeout', async () => {
  proxy.websockets = 'swallowed';
  const client = start();
  await until(() => expect(statusOf(client)).toBe('polling'));
  await sendAsBob('do you see this?');
  await until(() => {
    expect(client.chats.getState().chats[0]).toMatchObject({
      last: { content: 'do you see this?' },
    });
  });
});

test('polls neither repeat a message that failed, nor unload older messages of an undecided chat', async () => {
  const carl = await server.signIn('Carl');
  const first = { partnerName: 'Ada', content: 'text 0' };
  const created = await carl.request('POST', '/api/chatrooms/create', first);
  const chatroom: string = created.body.chatroomId;
  for (let i = 1; i < 60; i += 1) {
    await carl.request('POST', '/api/messages/send', { chatroom, content: `text ${i}` });
  }
  await ada.request('POST', `/api/chatrooms/chats/${chatroom}/mark-as-read`);
  proxy.websockets = 'refused';
  const client = start();
  await until(() => expect(statusOf(client)).toBe('polling'));
  await client.open(chatroom);
  await client.loadOlder(chatroom);
  const lengths = new Set<number | undefined>();
  client.rooms.subscribe((state) =>
    lengths.add(findLoadedChatroom(state, chatroom)?.messages.length),
  );
  proxy.failing = '/api/messages/send';
  client.send(room, 'refused for now');
  await until(() => expect(proxy.requests).toContain('/api/messages/send'));
  await polls();
  expect(proxy.requests.filter((path) => path === '/api/messages/send')).toHaveLength(1);
  await carl.request('POST', '/api/messages/send', { chatroom, content: 'text 60' });
  await until(() => expect(lengths).toContain(61));
  expect(lengths).not.toContain(50);
});

test('a connection that is blocked later is told as such once the server responds without it', async () => {
  const client = start();
  await until(() => expect(statusOf(client)).toBe('online'));
  proxy.websockets = 'refused';
  proxy.failing = '/api/chatrooms/chats';
  proxy.cut();
  await until(() => expect(statusOf(client)).toBe('polling'));
  proxy.failing = undefined;
  await sendAsBob('while blocked');
  await until(() => {
    expect(client.chats.getState().chats[0]).toMatchObject({ last: { content: 'while blocked' } });
  });
});

test('a server that does not respond at all is not polled as if it did', async () => {
  const client = start();
  await until(() => expect(statusOf(client)).toBe('online'));
  const statuses = new Set<string>();
  client.connection.subscribe(({ status }) => statuses.add(status));
  const polls = proxy.refused;
  proxy.isDown = true;
  proxy.cut();
  await until(() => expect(proxy.refused).toBeGreaterThan(polls + 12));
  expect(statuses).toEqual(new Set(['reconnecting']));
});

test('a websocket that closes before the handshake is retried like one that is refused', async () => {
  proxy.websockets = 'closed';
  const client = start();
  // Each would take 20 seconds if it waited for the handshake.
  await until(() => expect(proxy.upgrades).toBeGreaterThan(6));
  proxy.websockets = 'passed';
  await until(() => expect(statusOf(client)).toBe('online'));
});

test('a chatroom that failed to load is shown once the server can load it', async () => {
  const client = start();
  await until(() => expect(statusOf(client)).toBe('online'));
  proxy.failing = `/api/chatrooms/chats/${room}?limit=50`;
  await client.open(room);
  expect(client.rooms.getState().rooms[room]).toMatchObject({ status: 'error' });
  proxy.failing = undefined;
  await until(() => expect(textsOf(client)).toEqual(['first']));
});

test('a chat list that fails does not stop live events, and heals by itself', async () => {
  proxy.failing = '/api/chatrooms/chats';
  const client = start();
  await client.open(room);
  await until(() => expect(statusOf(client)).toBe('online'));
  await until(() => expect(client.chats.getState()).toMatchObject({ status: 'error' }));
  await sendAsBob('live without a list');
  await until(() => expect(textsOf(client)).toEqual(['first', 'live without a list']));
  proxy.failing = undefined;
  client.reloadChats();
  await until(() =>
    expect(client.chats.getState()).toMatchObject({ status: 'ready', error: undefined }),
  );

  proxy.failing = '/api/chatrooms/chats';
  client.reloadChats();
  await until(() => expect(client.chats.getState().error).toBeDefined());
  expect(client.chats.getState()).toMatchObject({ status: 'ready' });
});
