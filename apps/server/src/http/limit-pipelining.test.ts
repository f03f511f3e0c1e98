import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { createHttpServer } from './http-server.ts';
import { limitPipelining, MAX_PIPELINED_REQUESTS } from './limit-pipelining.ts';

let server: Server;
let sockets: Socket[];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function listen(created: Server) {
  server = created.listen(0, '127.0.0.1');
  sockets = [];
  await once(server, 'listening');
}

function open() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  const connection = {
    socket,
    text: '',
    closed: once(socket, 'close'),
    statuses: () => connection.text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [],
  };
  socket.on('data', (data) => {
    connection.text += data.toString();
  });
  return connection;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const pipelined = (count: number) => Array.from({ length: count }, (_, i) => get(`/${i}`)).join('');

/** Creates a handler that does not end its responses, so that the test can do so. */
function createPendingHandler(): {
  handler: RequestListener;
  exchanges: { url: string; response: ServerResponse }[];
} {
  const exchanges: { url: string; response: ServerResponse }[] = [];
  const handler: RequestListener = ({ url = '' }, response) => exchanges.push({ url, response });
  return { handler, exchanges };
}

test('handles the pipelined requests of a connection sequentially and in order', async () => {
  const { handler, exchanges } = createPendingHandler();
  await listen(createServer(limitPipelining(handler)));
  const client = open();
  client.socket.write(pipelined(MAX_PIPELINED_REQUESTS));
  for (let i = 0; i < MAX_PIPELINED_REQUESTS; i += 1) {
    const { url, response } = await until(() => exchanges[i]);
    expect(url).toBe(`/${i}`);
    expect(exchanges).toHaveLength(i + 1);
    response.end(url);
  }
  await until(() => client.statuses().length === MAX_PIPELINED_REQUESTS);
});

test('serves other connections while requests of one connection wait', async () => {
  const { handler, exchanges } = createPendingHandler();
  await listen(createServer(limitPipelining(handler)));
  open().socket.write(pipelined(MAX_PIPELINED_REQUESTS));
  await until(() => exchanges.length === 1);
  const other = open();
  other.socket.write(get('/other'));
  const { response } = await until(() => exchanges.find(({ url }) => url === '/other'));
  response.end();
  await until(() => other.statuses().length === 1);
});

test('closes a connection with too many pending requests without handling the rest', async () => {
  const { handler, exchanges } = createPendingHandler();
  await listen(createServer(limitPipelining(handler)));
  const client = open();
  client.socket.write(pipelined(1_000));
  await client.closed;
  const next = open();
  next.socket.write(get('/next'));
  await until(() => exchanges.some(({ url }) => url === '/next'));
  expect(exchanges.map(({ url }) => url)).toEqual(['/0', '/next']);
});

test('does not start a request before the client has received the previous response', async () => {
  let handled = 0;
  const large = Buffer.alloc(64 * 2 ** 20);
  await listen(
    createServer(
      limitPipelining((_request, response) => {
        handled += 1;
        response.end(large);
      }),
    ),
  );
  const client = open();
  client.socket.pause();
  client.socket.write(pipelined(3));
  const other = open();
  other.socket.write(get('/'));
  await until(() => other.text.length >= large.length);
  expect(handled).toBe(2);
  client.socket.resume();
  await until(() => handled === 4);
});

test('limits requests that Node would otherwise reject by itself', async () => {
  const { handler, exchanges } = createPendingHandler();
  await listen(createHttpServer(handler));
  const expecting = open();
  expecting.socket.write('GET / HTTP/1.1\r\nhost: a\r\nexpect: x\r\n\r\n');
  await until(() => expecting.statuses()[0] === '417');

  const hostless = open();
  hostless.socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(MAX_PIPELINED_REQUESTS));
  await hostless.closed;
  expect(hostless.statuses()).toEqual(['400']);
  expect(exchanges).toEqual([]);
});
