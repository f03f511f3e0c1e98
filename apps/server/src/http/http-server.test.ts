import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { createHttpServer } from './http-server.ts';
import { isLiveUpgrade } from './live-upgrade.ts';

/** Milliseconds, more than a time slice. */
const WORK = 10;

test('handles requests that arrive together in several turns of the event loop', async () => {
  let handled = 0;
  const server = createHttpServer(() => {
    handled += 1;
    for (const end = performance.now() + WORK; performance.now() < end;);
  });
  for (let i = 0; i < 4; i += 1) {
    const request = new IncomingMessage(new Socket());
    request.headers.host = 'a';
    server.emit('request', request, new ServerResponse(request));
  }
  expect(handled).toBeLessThanOrEqual(1);
  await until(() => handled === 4);
});

test('does not upgrade requests with a very long query', () => {
  const headers = { upgrade: 'websocket', connection: 'Upgrade' };
  const request = (query: string) =>
    ({ headers, url: `/socket.io/?EIO=4&transport=websocket${query}` }) as IncomingMessage;
  expect(isLiveUpgrade(request(''))).toBe(true);
  expect(isLiveUpgrade(request('&a='.repeat(1_000)))).toBe(false);
});
