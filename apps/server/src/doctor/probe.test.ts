import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { probeUpgrade } from './probe.ts';

test.each([
  ['an incomplete response', 'HTTP/1.1 401 ', 'x'],
  ['informational responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('the request for an upgrade ends despite %s that never ends', async (_name, first, more) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(first);
    const timer = setInterval(() => socket.write(more), 20);
    socket.on('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(probeUpgrade(url, {}, 300)).rejects.toMatchObject({ name: 'TimeoutError' });
});
