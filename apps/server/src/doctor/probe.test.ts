import { expect, test } from 'vitest';
import { acceptConnections } from '../../test/accept-connections.ts';
import { probe, probeUpgrade } from './probe.ts';

/** Starts a server that responds to the beginning of a request, and resets the connection without reading the rest. */
async function startHasty(response: string): Promise<URL> {
  const port = await acceptConnections((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write(response, () => socket.destroy());
    });
  });
  return new URL(`http://127.0.0.1:${port}`);
}

const send = (url: URL) => probe(url, { method: 'POST', bodySize: 10 * 2 ** 20 });

test('reads the response of a server that closes the connection before an upload', async () => {
  const url = await startHasty('HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge');
  expect(await send(url)).toMatchObject({ status: 413, body: 'large' });
});

test('knows the status of an error whose body is cut off', async () => {
  const url = await startHasty('HTTP/1.1 413 Too Large\r\nContent-Length: 50\r\n\r\nlarge');
  expect(await send(url)).toMatchObject({ status: 413, body: 'large' });
});

test('rejects a response without an error whose body is cut off, and a connection without one', async () => {
  const url = await startHasty('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nlarge');
  await expect(send(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(send(await startHasty('HTTP/'))).rejects.toThrow();
});

test.each([
  ['an incomplete response', 'HTTP/1.1 401 ', 'x'],
  ['informational responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('the request for an upgrade ends despite %s that never ends', async (_name, first, more) => {
  const port = await acceptConnections((socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(more), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const url = new URL(`http://127.0.0.1:${port}`);
  await expect(probeUpgrade(url, {}, 300)).rejects.toMatchObject({ name: 'TimeoutError' });
});
