import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { listenLocally } from '../../test/listen-locally.ts';
import type { RequestArrival } from '../public-probe/arrival.ts';
import { checkProxy } from './proxy-check.ts';

let server: TestServer;
let port: number;
/** How requests arrive, as the public address says. */
let arrival: Partial<RequestArrival> = {};
/** What the public address sends on a websocket for a ping. */
let pong: Buffer = Buffer.alloc(0);
const site = createServer((request, response) => {
  let received = 0;
  request.on('data', (chunk: Buffer) => (received += chunk.length));
  request.on('end', () => {
    const local = { client: '127.0.0.1', peer: '127.0.0.1', isPeerTrusted: true };
    const described = { product: 'parley', protocol: 'http', ...local, received, ...arrival };
    response.end(JSON.stringify(described));
  });
});
site.on('upgrade', (_request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n');
  socket.write('Connection: Upgrade\r\n\r\n');
  socket.once('data', () => socket.end(pong));
});

beforeEach(async () => {
  server = await startServer();
  port = await listenLocally(site);
});
afterEach(async () => {
  await new Promise((resolve) => site.close(resolve));
  await server.close();
});

function check(idleTime?: number) {
  const publicUrl = `http://127.0.0.1:${port}`;
  return checkProxy({ dataDir: server.dataDir, publicUrl }, idleTime);
}

const FORGED = '192.0.2.1';

test.each<[Partial<RequestArrival>, outcome: string, message: RegExp]>([
  [{ client: FORGED, forwardedFor: FORGED }, 'ok', /without one; .* contains 127.0.0.1/],
  [
    { client: FORGED, forwardedFor: FORGED, forwardedProto: 'http' },
    'failed',
    /^Clients can forge/,
  ],
  [{ client: FORGED, forwardedFor: FORGED, peer: '192.0.2.2' }, 'failed', /^Clients can forge/],
  [
    { client: FORGED, forwardedFor: `${FORGED}, 127.0.0.1` },
    'skipped',
    /of this machine, 127.0.0.1/,
  ],
  [{ client: '127.0.0.1', forwardedFor: FORGED, isPeerTrusted: false }, 'ok', /without one$/],
  [{}, 'failed', /^The proxy does not send the addresses/],
  [{ forwardedFor: 'unknown' }, 'failed', /^The proxy does not send the addresses/],
  [{ client: '192.0.2.9', forwardedFor: '192.0.2.9' }, 'ok', /such as 192.0.2.9 of this machine/],
  [{ client: '192.0.2.9', forwardedFor: `${FORGED}, 192.0.2.9` }, 'ok', /such as 192.0.2.9 of/],
  [
    { client: '2001:db8:0:0:0:0:0:1', forwardedFor: `${FORGED}, [2001:DB8::1]:443` },
    'ok',
    /such as 2001:db8:0:0:0:0:0:1 of/,
  ],
  [
    { client: '192.0.2.8', forwardedFor: '192.0.2.9, 192.0.2.8' },
    'failed',
    /^Requests also pass 192.0.2.8, which PARLEY_TRUST_PROXY .* does not contain/,
  ],
  [{ peer: 'the proxy; rm -r /' }, 'skipped', /another version, .* from a cache/],
])('says about requests that arrive as %j: %s', async (described, outcome, message) => {
  arrival = described;
  expect((await check())[0]).toMatchObject({
    check: 'proxy',
    outcome,
    message: expect.stringMatching(message),
  });
});

test.each([
  ['', 'failed', /^The proxy closes or forgets/],
  ['HTTP/1.1 400 Bad Request\r\n\r\n', 'failed', /a ping gets no pong/],
  ['\u008a\0', 'ok', /^stays open/],
])('says about a websocket that responds with %j: %s', async (response, outcome, message) => {
  arrival = {};
  pong = Buffer.from(response, 'latin1');
  expect((await check(1)).at(-1)).toMatchObject({
    check: 'idle websocket',
    outcome,
    message: expect.stringMatching(message),
  });
});
