import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { exportData } from '../../test/exporting.ts';
import { startFreshServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { until } from '../../test/until.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { idFloor, newId } from '../storage/ids.ts';
import { createSweeper, sweepLocalFiles } from './sweep.ts';

const HOUR = 60 * 60 * 1000;

let server: TestServer;
let alice: TestUser;
beforeEach(async () => {
  server = await startFreshServer();
  // The sweep at the start would remove what the tests add.
  await until(() => server.log.some((line) => line.includes('finished sweeping')));
  alice = await server.signIn('Alice');
});
afterEach(() => server.close());

const sweep = async () => {
  const { signal } = new AbortController();
  await createSweeper(server.ctx).sweep(signal);
  await sweepLocalFiles(server.ctx, signal);
};

/** Creates a file in the media folder that was last modified `age` milliseconds ago. */
async function addFile(name: string, age: number): Promise<void> {
  const path = join(server.dataDir, 'media', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'x');
  const then = new Date(Date.now() - age);
  await utimes(path, then, then);
}

/** Creates an unsent upload that seems `age` milliseconds old. Returns the name of its file. */
async function addOldUpload(age: number): Promise<string> {
  const id = idFloor(Date.now() - age).replace(/0{12}$/, newId().slice(-12));
  const file = `${id}.png`;
  await addFile(file, age);
  await server.ctx.storage.write(({ trx }) =>
    trx
      .insertInto('media')
      .values({
        id,
        owner_id: alice.id,
        kind: 'image',
        mime: 'image/png',
        size: 1,
        file,
        width: 1,
        height: 1,
        created_at: Date.now() - age,
      })
      .execute(),
  );
  return file;
}

/** Returns the name of the file of an export. */
async function readFileOfExport(id: string): Promise<string> {
  const { file } = await server.ctx.storage.read((db) =>
    db.selectFrom('exports').select('file').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return file ?? '';
}

test('removes an unsent upload from before the clock was put back by more than a day', async () => {
  const before = await addOldUpload(-25 * HOUR);
  const recent = await addOldUpload(-HOUR);
  const sweeper = createSweeper(server.ctx);
  const { signal } = new AbortController();
  await sweeper.sweep(signal);
  // Right after the start, the clock may be behind.
  expect((await listUploadedFiles(server)).toSorted()).toEqual([recent, before].toSorted());
  await sweeper.sweep(signal);
  expect(await listUploadedFiles(server)).toEqual([recent]);
});

test('removes uploads without a message after 24 hours and keeps the others', async () => {
  const bob = await server.signIn('Bob');
  const chatroomId = await beginChat(alice, bob);
  const used = await addOldUpload(30 * HOUR);
  await send(alice, chatroomId, `http://localhost:${server.ctx.config.port}/media/${used}`);
  const unused = await addOldUpload(25 * HOUR);
  const young = await addOldUpload(23 * HOUR);

  await sweep();
  expect((await listUploadedFiles(server)).toSorted()).toEqual([used, young].toSorted());
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('media').select('file').execute(),
  );
  expect(rows.map((row) => row.file)).not.toContain(unused);
  expect(rows).toHaveLength(2);
});

test('removes files without a row and incomplete uploads after an hour', async () => {
  const stray = `${newId()}.jpg`;
  const fresh = `${newId()}.jpg`;
  await addFile(stray, 2 * HOUR);
  await addFile(fresh, 0);
  await addFile(`incoming/${newId()}`, 2 * HOUR);
  await addFile('incoming/under-way', 0);
  await addFile('unrelated.txt', 2 * HOUR);
  await upload(alice, 'image', sample('picture.png'));
  const { id } = await exportData(alice);
  const exported = await readFileOfExport(id);
  await addFile(exported, 2 * HOUR);

  await sweep();
  const left = await listUploadedFiles(server);
  expect(left).toHaveLength(5);
  expect(left).toEqual(expect.arrayContaining([fresh, exported, 'under-way', 'unrelated.txt']));
});

test.skipIf(IS_ON_POSTGRES)(
  'keeps the former file of a converted upload while there is a snapshot of the database before it',
  async () => {
    const bob = await server.signIn('Bob');
    const chatroomId = await beginChat(alice, bob);
    const converted = await addOldUpload(30 * HOUR);
    const url = `http://localhost:${server.ctx.config.port}/media/${converted}`;
    const { _id: messageId } = await send(alice, chatroomId, url);
    const former = converted.replace('.png', '.svg');
    await addFile(former, 30 * HOUR);
    const snapshots = join(server.dataDir, 'snapshots');
    await mkdir(snapshots);
    await writeFile(join(snapshots, 'before.db'), '');
    await sweep();
    expect((await listUploadedFiles(server)).toSorted()).toEqual([converted, former].toSorted());

    await rm(join(snapshots, 'before.db'));
    await sweep();
    expect(await listUploadedFiles(server)).toEqual([converted]);

    await addFile(former, 30 * HOUR);
    await writeFile(join(snapshots, 'before.db'), '');
    await alice.request('DELETE', '/api/messages/delete', { messageId });
    await sweep();
    expect(await listUploadedFiles(server)).toEqual([]);
  },
);

test('sweeps more uploads than fit into one batch', async () => {
  for (let i = 0; i < 620; i += 1) await addOldUpload(25 * HOUR);
  await addOldUpload(HOUR);
  await sweep();
  expect(await listUploadedFiles(server)).toHaveLength(1);
});

test('sweeps when the server starts', async () => {
  await addOldUpload(25 * HOUR);
  server = await server.restart();
  await until(async () => (await listUploadedFiles(server)).length === 0);
});

test('stops sweeping when the signal is aborted', async () => {
  for (let i = 0; i < 5; i += 1) await addOldUpload(25 * HOUR);
  await createSweeper(server.ctx).sweep(AbortSignal.abort());
  expect(await listUploadedFiles(server)).toHaveLength(5);
});
