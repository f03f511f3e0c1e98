import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { storeUpload } from './upload.service.ts';

test('the memory use does not depend on the size of an upload', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const alice = await server.signIn('Alice');
  const start = sample('picture.jpg').subarray(0, -2);
  const filler = Buffer.alloc(64 * 1024, 0x55);
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  async function* image() {
    yield start;
    for (let sent = 0; sent < 9 * 1024 * 1024; sent += filler.length) {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
      yield filler;
    }
    yield Buffer.from([0xff, 0xd9]);
  }
  const incoming = Object.assign(Readable.from(image()), { truncated: false });
  await storeUpload(server.ctx, alice.id, { kind: 'image', file: incoming, peaks: undefined });
  highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
  expect(highest).toBeLessThan(3 * 1024 * 1024);
});
