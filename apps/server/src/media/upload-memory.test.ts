import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { storeUpload } from './upload.service.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** In bytes, near the limit of an upload. */
const SIZE = 9 * 1024 * 1024;
/** How many bytes of buffers an upload may use. */
const LIMIT = SIZE / 2;

/** Returns the bytes of the buffers that are in use. */
function usedMemory(): number {
  collectGarbage();
  // The first one frees buffers in the background; the second one waits for that.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

test('the memory use does not depend on the size of an upload', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const alice = await server.signIn('Alice');
  const start = sample('picture.jpg').subarray(0, -2);
  const filler = Buffer.alloc(64 * 1024, 0x55);
  const before = usedMemory();
  let highest = 0;
  const measure = (): void => {
    // Collecting garbage takes long, and only matters if it is what exceeds the limit.
    const withGarbage = process.memoryUsage().arrayBuffers - before;
    highest = Math.max(highest, withGarbage < LIMIT ? withGarbage : usedMemory() - before);
  };
  async function* image() {
    yield start;
    for (let sent = 0; sent < SIZE; sent += filler.length) {
      yield filler;
    }
    yield Buffer.from([0xff, 0xd9]);
  }
  const incoming = Object.assign(Readable.from(image()), { truncated: false });
  const stored = new AbortController();
  const measuring = (async () => {
    // Waits after each measurement, which may take as long on a busy machine.
    while (!stored.signal.aborted) {
      measure();
      await setTimeout(100);
    }
  })();
  const uploader = { userId: alice.id, network: '127.0.0.1' };
  await storeUpload(server.ctx, uploader, { kind: 'image', file: incoming, peaks: undefined });
  stored.abort();
  await measuring;
  measure();
  expect(highest).toBeLessThan(LIMIT);
});
