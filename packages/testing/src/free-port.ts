import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections, from 32768 on Linux and 49152 elsewhere, so that no
 * connection takes a port between its choice and its use.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** Other processes begin elsewhere. */
let next = (process.pid * 7_919) % COUNT;

/** Finds a TCP port on 127.0.0.1 that is currently free, and that this process has not found before. */
export async function findFreePort(): Promise<number> {
  for (let i = 0; i < COUNT; i += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error('no TCP port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
