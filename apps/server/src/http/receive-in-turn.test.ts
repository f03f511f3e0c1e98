import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { runInTurn } from '../scheduling/time-slices.ts';
import { receiveInTurn } from './receive-in-turn.ts';

/** Milliseconds, more than a time slice. */
const WORK = 10;

const server = createServer();
afterEach(() => {
  server.close();
});

/** Opens a connection. Returns both ends of it. */
async function openPair(): Promise<{ client: Socket; accepted: Socket }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepting = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await accepting) as [Socket];
  return { client, accepted };
}

function useUpSlice(): void {
  runInTurn(() => {
    for (const end = performance.now() + WORK; performance.now() < end;);
  });
}

test('parses what was received in a later turn if the time slice is used up', async () => {
  const { client, accepted } = await openPair();
  const received: string[] = [];
  receiveInTurn(accepted);
  accepted.on('data', (data) => received.push(data.toString()));
  useUpSlice();
  expect(accepted.push(Buffer.from('a'))).toBe(false);
  expect(received).toEqual([]);
  await once(accepted, 'data');
  expect(received).toEqual(['a']);
  client.destroy();
});

test('keeps all bytes and their end in order, however busy the server is', async () => {
  const { client, accepted } = await openPair();
  receiveInTurn(accepted);
  accepted.prependListener('data', useUpSlice);
  const received = text(accepted);
  const sent = Array.from({ length: 100_000 }, (_, i) => `${i} `).join('');
  client.end(sent);
  expect(await received).toBe(sent);
});

test('drops what waits for a connection that is closed meanwhile', async () => {
  const { client, accepted } = await openPair();
  receiveInTurn(accepted);
  const received: unknown[] = [];
  accepted.on('data', (data) => received.push(data));
  useUpSlice();
  accepted.push(Buffer.from('a'));
  accepted.destroy();
  await once(client.resume(), 'close');
  expect(received).toEqual([]);
});
