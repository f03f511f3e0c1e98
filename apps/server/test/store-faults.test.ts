import { createHash, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startObjectStorage } from '@parley/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginChat, send } from './chatting.ts';
import { createTestClient, startServer, type TestUser } from './harness.ts';
import { ChatroomMirror } from './chatroom-mirror.ts';
import { sample } from './samples.ts';
import { IS_ON_POSTGRES } from './server-group.ts';
import { spawnServer, type SpawnedServer } from './spawn-server.ts';
import { startStoreProxy, type StoreFault, type StoreProxy } from './store-proxy.ts';
import { acquireTestDatabase } from './test-database.ts';
import { until } from './until.ts';
import { jpegOfSize, upload } from './uploading.ts';

/** Duration of the faults in seconds; `PARLEY_TEST_CRASH_SECONDS=60` for a long run. */
const SECONDS = Number(process.env['PARLEY_TEST_CRASH_SECONDS'] ?? 5);
/** Number of uploads of a user at a time, which a process accepts. */
const UPLOAD_LANES = 4;

const FAULTS: readonly StoreFault[] = [
  { status: 500, reason: 'InternalError' },
  'silent',
  { delay: 400 },
  'truncated',
  'corrupt',
  'reset',
];
const METHODS = ['PUT', 'HEAD', 'GET'];

/** Size of an upload in bytes. It is unique, and with it the content. */
let nextSize = 300_000;

const UNAVAILABLE = { status: 503, body: { code: 'unavailable' } };

const MIB = 2 ** 20;
/** Bytes outside the JavaScript heap, including those that are not collected yet. */
const EXTERNAL_MAX = 128 * MIB;

describe.skipIf(!IS_ON_POSTGRES)('two processes on a store that fails', () => {
  test(
    'keep every acknowledged upload, no message without its file, and do not delay texts',
    async () => {
      const { proxy, processes, users, room } = await setUp();
      const [alice, bob] = users;
      const anyUrl = () => processes[randomInt(2)]?.url ?? '';
      /** The user at one of the processes. */
      const at = (user: TestUser): TestUser => ({
        ...user,
        ...createTestClient(anyUrl(), user.cookie),
      });

      // Stored as it is, because it was cleaned before.
      const { body: first } = await upload(at(alice), 'image', sample('picture.jpg'));
      const { bytes: picture } = await download(anyUrl() + new URL(first.url).pathname, alice);

      const checksums = new Map<string, string>();
      const shared: string[] = [];
      const counts = { uploads: 0, rejected: 0, downloads: 0, texts: 0, faults: 0 };
      const end = Date.now() + SECONDS * 1_000;
      let slowestText = 0;
      let highestMemory = 0;

      // A busy machine may need longer until an upload is accepted and one is rejected.
      const isRunning = () => Date.now() < end || counts.uploads === 0 || counts.rejected === 0;

      async function shareImages(user: TestUser): Promise<void> {
        while (isRunning()) {
          await sleep(randomInt(100));
          nextSize += 1;
          const image = jpegOfSize(picture, nextSize);
          const { status, body } = await upload(at(user), 'image', image);
          if (status !== 201) {
            expect({ status, body }).toMatchObject(UNAVAILABLE);
            counts.rejected += 1;
            continue;
          }
          checksums.set(new URL(body.url).pathname, sha256(image));
          await send(at(user), room, body.url);
          shared.push(new URL(body.url).pathname);
          counts.uploads += 1;
        }
      }

      async function readImages(): Promise<void> {
        while (Date.now() < end) {
          const path = shared[randomInt(Math.max(shared.length, 1))];
          if (path !== undefined) {
            const { status, body, bytes } = await download(anyUrl() + path, bob);
            if (status === 200) expect(sha256(bytes)).toBe(checksums.get(path));
            else expect({ status, body }).toMatchObject(UNAVAILABLE);
            counts.downloads += 1;
          }
          await sleep(randomInt(20));
        }
      }

      async function sendTexts(): Promise<void> {
        while (Date.now() < end) {
          const startedAt = performance.now();
          await send(at(bob), room, randomUUID());
          slowestText = Math.max(slowestText, performance.now() - startedAt);
          counts.texts += 1;
          await sleep(randomInt(20));
        }
      }

      async function injectFaults(): Promise<void> {
        while (isRunning() || counts.faults < FAULTS.length) {
          const fault = FAULTS[counts.faults % FAULTS.length] ?? 'reset';
          for (const method of METHODS) proxy.fail(method, fault);
          await sleep(randomInt(400, 800));
          proxy.recover();
          counts.faults += 1;
          await sleep(randomInt(100, 300));
        }
      }

      async function watchMemory(): Promise<void> {
        while (Date.now() < end) {
          for (const { url } of processes) {
            highestMemory = Math.max(highestMemory, await readExternalMemory(url));
          }
          await sleep(100);
        }
      }

      await Promise.all([
        ...users.flatMap((user) => Array.from({ length: UPLOAD_LANES }, () => shareImages(user))),
        readImages(),
        sendTexts(),
        injectFaults(),
        watchMemory(),
      ]);

      // Everything that was acknowledged can be read.
      const mirror = new ChatroomMirror();
      await mirror.resync(at(bob), [room], 1_000);
      const images = mirror.room(room).filter(({ kind }) => kind === 'image');
      const paths = images.map(({ content }) => new URL(content).pathname);
      expect(paths.toSorted()).toEqual([...checksums.keys()].toSorted());
      for (const [path, checksum] of checksums) {
        const { bytes } = await until(async () => {
          const response = await download(anyUrl() + path, bob);
          return response.status === 200 && response;
        });
        expect(sha256(bytes)).toBe(checksum);
      }
      expect(counts.uploads).toBeGreaterThan(0);
      expect(counts.rejected).toBeGreaterThan(0);
      // Shorter than any request to the store that is not answered.
      expect(slowestText).toBeLessThan(5_000);
      expect(highestMemory).toBeLessThan(EXTERNAL_MAX);
      process.stdout.write(
        `${JSON.stringify(counts)}, slowest text ${Math.round(slowestText)} ms, ` +
          `external memory ${Math.round(highestMemory / MIB)} MiB\n`,
      );
    },
    (SECONDS + 120) * 1_000,
  );
});

interface Setup {
  readonly proxy: StoreProxy;
  readonly processes: readonly SpawnedServer[];
  readonly users: readonly [TestUser, TestUser];
  /** Id of their chatroom. */
  readonly room: string;
}

/** Starts a store, a proxy in front of it, and two processes on one database. */
async function setUp(): Promise<Setup> {
  const database = (await acquireTestDatabase()) ?? expect.fail();
  const storage = await startObjectStorage();
  onTestFinished(() => storage.stop());
  for (const [name, key] of Object.entries(storage.keys)) vi.stubEnv(name, key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const proxy = await startStoreProxy(storage.url);
  onTestFinished(() => proxy.close());
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-faults-'));
  onTestFinished(() => rm(folder, { recursive: true }));

  const setup = await startServer({ PARLEY_DATABASE_URL: database.url });
  const users = [await setup.signIn('Alice'), await setup.signIn('Bob')] as const;
  const room = await beginChat(...users);
  await setup.close();

  const variables = {
    ...storage.keys,
    PARLEY_MEDIA_STORE: proxy.url,
    // Most images are read from the store.
    PARLEY_MEDIA_CACHE: '4M',
    // The same for both processes.
    PARLEY_MEDIA_URL: 'https://media.example.org/media/',
  };
  const start = (name: string) =>
    spawnServer(join(folder, name), { databaseUrl: database.url, variables });
  const processes = await Promise.all([start('one'), start('two')]);
  onTestFinished(async () => {
    for (const each of processes) await each.kill();
  });
  return { proxy, processes, users, room };
}

interface Download {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined unless it is an error. */
  readonly body: unknown;
}

async function download(url: string, { cookie }: TestUser): Promise<Download> {
  const response = await fetch(url, { headers: { cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    bytes,
    body: response.ok ? undefined : JSON.parse(bytes.toString()),
  };
}

async function readExternalMemory(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  return Number(/^nodejs_external_memory_bytes (\S+)$/m.exec(await response.text())?.[1]);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
