import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { IncomingRequest } from './incoming-request.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(handler: RequestListener): Promise<void> {
  server = createServer({ IncomingMessage: IncomingRequest }, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';
const chunk = (size: number) => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;

/** Sends bytes over a new connection. Returns what the server sends until it closes the connection. */
async function exchange(...parts: readonly string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

const echoLength: RequestListener = (request, response) => {
  response.setHeader('connection', 'close');
  text(request).then(
    (body) => response.end(String(body.length)),
    () => undefined,
  );
};

test('closes a connection whose body arrives in very small pieces', async () => {
  await listen(echoLength);
  expect(await exchange(HEAD, chunk(1).repeat(100_000), END)).toBe('');
});

test('creates no more of the pieces that were received at once', async () => {
  let pieces = 0;
  await listen((request) => {
    const { socket } = request as unknown as { socket: { parser: Record<number, unknown> } };
    const { parser } = socket;
    const { kOnBody } = parser.constructor as unknown as { kOnBody: number };
    const callback = parser[kOnBody] as (piece: Buffer) => void;
    parser[kOnBody] = function count(this: unknown, piece: Buffer) {
      pieces += 1;
      callback.call(this, piece);
    };
    request.on('error', () => undefined).resume();
  });
  await exchange(HEAD + chunk(1).repeat(5_000));
  expect(pieces).toBeGreaterThan(1);
  expect(pieces).toBeLessThan(50);
});

test('closes a connection whose body goes on in very small pieces after the response', async () => {
  let requests = 0;
  await listen((_request, response) => {
    requests += 1;
    response.end('early');
  });
  await exchange(HEAD, chunk(1).repeat(100_000));
  expect(requests).toBe(1);
});

test('reads bodies of few small or many larger pieces', async () => {
  await listen(echoLength);
  expect(await exchange(HEAD, chunk(1).repeat(16), END)).toMatch(/\r\n16$/);
  expect(await exchange(HEAD, chunk(512).repeat(2_000), END)).toMatch(/\r\n1024000$/);
});

test('parses bodies of later connections after it has closed one', async () => {
  await listen(echoLength);
  await exchange(HEAD, chunk(1).repeat(10_000), END);
  for (let i = 0; i < 3; i += 1) {
    expect(await exchange(HEAD, chunk(100), END)).toMatch(/\r\n100$/);
  }
});
