import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beginUpload } from '../uploading.ts';
import { defineAttack, type AttackTarget } from './attack.ts';

const ACCOUNTS = 4;
/** Simultaneous uploads of an account. */
const PER_ACCOUNT = 4;
const LENGTH = 9_000_000;
const PART = Buffer.alloc(256 * 1024, 0x55);

/** Begins uploads at full speed, and aborts each of them shortly before its end. */
export const abortedUploads = defineAttack({
  summary: '4 accounts upload images at full speed, and abort them shortly before their end',
  // The limit of uploads per minute would end the attack after a second.
  env: { PARLEY_RATE_LIMITS: 'false' },
  async prepare(server) {
    const cookies = [];
    for (let i = 0; i < ACCOUNTS; i += 1) {
      cookies.push((await server.signIn(`Quitter${i}`)).cookie);
    }
    return { cookies };
  },
  async run(target: AttackTarget<{ cookies: string[] }>) {
    let aborted = 0;
    const repeat = async (cookie: string) => {
      while (!target.signal.aborted) {
        const socket = beginUpload(target, { cookie }, LENGTH, []);
        await sendAlmostAll(socket, target.signal).catch(() => undefined);
        socket.destroy();
        aborted += 1;
      }
    };
    await Promise.all(
      target.prepared.cookies.flatMap((cookie) =>
        Array.from({ length: PER_ACCOUNT }, () => repeat(cookie)),
      ),
    );
    return { aborted };
  },
});

async function sendAlmostAll(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.on('error', () => undefined);
  socket.write('--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
  for (let sent = 0; sent < LENGTH - 2 * PART.length; sent += PART.length) {
    if (socket.destroyed) return;
    if (!socket.write(PART)) await once(socket, 'drain', { signal });
  }
}
