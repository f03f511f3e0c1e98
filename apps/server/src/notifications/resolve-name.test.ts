import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createNameResolver } from './resolve-name.ts';

const TYPE = { 1: 'A', 28: 'AAAA' } as const;
const REFUSED = 5;

/**
 * Starts a server of the domain name system. `answer` returns the bytes of an address, an error code, or
 * undefined for no response.
 */
async function startServer(
  answer: (type: 'A' | 'AAAA') => readonly number[] | number | undefined,
): Promise<string> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.on('message', (query, { port, address }) => {
    const nameEnd = query.indexOf(0, 12);
    const question = query.subarray(12, nameEnd + 5);
    const type = query.readUInt16BE(nameEnd + 1) as keyof typeof TYPE;
    const found = answer(TYPE[type]);
    if (found === undefined) return;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x81_80 + (typeof found === 'number' ? found : 0), 2);
    header.writeUInt16BE(1, 4);
    if (typeof found === 'number') {
      socket.send(Buffer.concat([header, question]), port, address);
      return;
    }
    header.writeUInt16BE(1, 6);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, found.length, ...found]);
    socket.send(Buffer.concat([header, question, record]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

function resolve(server: string, hostname = 'push.example.org') {
  const { promise, resolve: settle } = Promise.withResolvers<unknown>();
  createNameResolver([server])(hostname, { all: true }, (error, addresses) =>
    settle(error === null ? addresses : (error as NodeJS.ErrnoException).code),
  );
  return promise;
}

const IPV6 = [0x26, 6, 0x47, 0, ...Array.from({ length: 11 }, () => 0), 1];

test('resolves a name to the addresses of both families', async () => {
  const server = await startServer((type) => (type === 'A' ? [9, 9, 9, 9] : IPV6));
  const addresses = await resolve(server);
  expect(addresses).toHaveLength(2);
  expect(addresses).toEqual(
    expect.arrayContaining([
      { address: '9.9.9.9', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]),
  );
});

test('resolves a name that has addresses of one family', async () => {
  const server = await startServer((type) => (type === 'AAAA' ? IPV6 : 3));
  expect(await resolve(server)).toEqual([{ address: '2606:4700::1', family: 6 }]);
});

test('fails if the server refuses', async () => {
  expect(await resolve(await startServer(() => REFUSED))).toBe('EREFUSED');
});

test('resolves as this machine does if no server can be reached', async () => {
  expect(await resolve('127.0.0.1:1', 'localhost')).toContainEqual({
    address: '127.0.0.1',
    family: 4,
  });
});

test('waits for many names of a silent server as long as for one', async () => {
  const server = await startServer(() => undefined);
  const resolveAtOnce = async (count: number): Promise<number> => {
    const startedAt = performance.now();
    const results = await Promise.all(Array.from({ length: count }, () => resolve(server)));
    expect(new Set(results)).toEqual(new Set(['ETIMEOUT']));
    return performance.now() - startedAt;
  };
  const time = await resolveAtOnce(1);
  // More than there are threads, which would take three times as long.
  expect(await resolveAtOnce(10)).toBeLessThan(2 * time);
});
