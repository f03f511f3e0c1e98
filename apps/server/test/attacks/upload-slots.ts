import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, type TestClient } from '../harness.ts';
import { beginUpload, jpegOfSize, upload } from '../uploading.ts';
import { sample } from '../samples.ts';
import { defineAttack, type AttackTarget } from './attack.ts';

/** Simultaneous uploads of an account. */
const PER_ACCOUNT = 4;
/** Slightly more than the server requires, in bytes per second. */
const SPEED = 9 * 1024;
const LENGTH = 5_000_000;

interface Prepared {
  readonly cookies: readonly string[];
  readonly userCookie: string;
}

/** Occupies upload slots with slow uploads, while a user of another network uploads pictures. */
function occupySlots(accounts: number, networks: number) {
  return defineAttack({
    summary: `${accounts} accounts in ${networks} networks keep ${accounts * PER_ACCOUNT} slow uploads open, while a user uploads`,
    env: { PARLEY_TRUST_PROXY: 'true' },
    async prepare(server): Promise<Prepared> {
      const cookies = [];
      for (let i = 0; i < accounts; i += 1) {
        cookies.push((await server.signIn(`Holder${i}`)).cookie);
      }
      return { cookies, userCookie: (await server.signIn('Uploader')).cookie };
    },
    async run(target: AttackTarget<Prepared>) {
      const { signal, prepared, url } = target;
      const sockets = new Set<Socket>();
      const hold = (cookie: string, network: string) => {
        const socket = beginSlowUpload(target, cookie, network);
        sockets.add(socket);
        socket.on('close', () => {
          sockets.delete(socket);
          if (!signal.aborted) setTimeout(() => hold(cookie, network), 200).unref();
        });
      };
      for (const [i, cookie] of prepared.cookies.entries()) {
        for (let n = 0; n < PER_ACCOUNT; n += 1) hold(cookie, `198.51.100.${i % networks}`);
      }
      const drip = setInterval(() => {
        for (const socket of sockets) socket.write(Buffer.alloc(SPEED, 0x55));
      }, 1_000);
      await sleep(1_000);

      const client = createTestClient(url, prepared.userCookie);
      const user: Pick<TestClient, 'request'> = {
        request: (method, path, body) =>
          client.request(method, path, body, { 'x-forwarded-for': '192.0.2.1' }),
      };
      const picture = jpegOfSize(sample('picture.jpg'), 100_000);
      const counts = { uploaded: 0, refused: 0 };
      while (!signal.aborted) {
        const { status } = await upload(user, 'image', picture);
        if (status === 201) counts.uploaded += 1;
        else counts.refused += 1;
        // A user may upload 60 files a minute.
        await sleep(1_000);
      }
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
      return counts;
    },
  });
}

function beginSlowUpload(
  target: Pick<AttackTarget, 'url'>,
  cookie: string,
  network: string,
): Socket {
  const socket = beginUpload(target, { cookie }, LENGTH, [`x-forwarded-for: ${network}`]);
  socket.on('data', () => socket.destroy());
  socket.write('--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
  return socket;
}

export const slotsOfOneNetwork = occupySlots(25, 1);
export const slotsOfManyNetworks = occupySlots(40, 20);
