import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import {
  createTestClient,
  startServer,
  type TestServer,
  type TestUser,
} from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';
import { sample } from '../../test/samples.ts';
import { startStoreProxy, type StoreProxy } from '../../test/store-proxy.ts';
import { objectStoreOf } from '../../test/test-object-store.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { until } from '../../test/until.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { eraseQueued } from '../erasure/eraser.ts';
import { createSweeper } from '../media/sweep.ts';
import { claimStore, createClaimJob } from '../media/claim-store.ts';

const DOWN = { status: 503, reason: 'ServiceUnavailable' };
const picture = sample('picture.png');

let proxy: StoreProxy;
let variables: Record<string, string>;
let server: TestServer;
let alice: TestUser;
beforeEach(async () => {
  const store = objectStoreOf(`server-${Date.now()}-${Math.random()}`);
  proxy = await startStoreProxy(store['PARLEY_MEDIA_STORE'] ?? '');
  variables = { ...store, PARLEY_MEDIA_STORE: proxy.url };
  server = await startServer(variables);
  alice = await server.signIn('Alice');
});
afterEach(async () => {
  await server.close();
  await proxy.close();
});

const countRows = async () =>
  (await server.ctx.storage.read((db) => db.selectFrom('media').select('id').execute())).length;
const sweep = () => createSweeper(server.ctx).sweep(new AbortController().signal);

test.each(['PUT', 'HEAD'])(
  'rejects an upload with 503 if the store fails on %s, and leaves neither a row nor a file',
  async (method) => {
    proxy.fail(method, DOWN);
    const response = await upload(alice, 'image', picture);
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    proxy.recover();
    expect([await countRows(), await listUploadedFiles(server)]).toEqual([0, []]);
    expect((await upload(alice, 'image', picture)).status).toBe(201);
    expect([await countRows(), (await listUploadedFiles(server)).length]).toEqual([1, 1]);
  },
);

test('rejects a download with 503 while the store fails and serves it afterwards', async () => {
  const { body } = await upload(alice, 'image', picture);
  const { pathname } = new URL(body.url);
  server = await server.restart({ PARLEY_MEDIA_CACHE: '0' });
  proxy.fail('GET', DOWN);
  expect(await alice.request('GET', pathname)).toMatchObject({
    status: 503,
    body: { code: 'unavailable' },
  });
  proxy.recover();
  expect((await alice.request('GET', pathname)).status).toBe(200);
});

test('keeps deleted uploads out of reach and deletes their files once the store works again', async () => {
  const bob = await server.signIn('Bob');
  const chatroom = await beginChat(alice, bob);
  const { body } = await upload(alice, 'image', picture);
  const { pathname } = new URL(body.url);
  const { _id: messageId } = await send(alice, chatroom, body.url);
  proxy.fail('DELETE', DOWN);
  expect((await alice.request('DELETE', '/api/messages/delete', { messageId })).status).toBe(200);
  expect((await bob.request('GET', pathname)).status).toBe(404);
  await eraseQueued(server.ctx, new AbortController().signal);
  expect(await listUploadedFiles(server)).toHaveLength(1);
  proxy.recover();
  await eraseQueued(server.ctx, new AbortController().signal);
  expect(await listUploadedFiles(server)).toEqual([]);
});

test('sweeps no file if the store fails to list them', async () => {
  await upload(alice, 'image', picture);
  proxy.fail('GET', 'truncated');
  await expect(sweep()).rejects.toMatchObject({ code: 'MEDIA_STORE' });
  proxy.recover();
  await sweep();
  expect(await listUploadedFiles(server)).toHaveLength(1);
});

test('stays ready while the store fails and reports its state', async () => {
  const readiness = () => server.client().request('GET', '/readyz');
  const states = { status: 'ok', database: 'ok', disk: 'ok' };
  expect(await readiness()).toMatchObject({ status: 200, body: { ...states, media: 'ok' } });
  server = await server.restart();
  proxy.fail('HEAD', DOWN);
  expect(await readiness()).toMatchObject({ status: 200, body: { ...states, media: 'failed' } });
});

test('refuses to start on the store of another database, with a wrong key or without its bucket', async () => {
  const other = startServer(variables);
  await expect(other).rejects.toThrow('The media store belongs to another database.');
  await expect(startServer({ ...variables, AWS_SECRET_ACCESS_KEY: 'wrong' })).rejects.toThrow(
    'rejected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  );
  const absent = variables['PARLEY_MEDIA_STORE']?.replace('s3://media', 's3://absent') ?? '';
  await expect(startServer({ ...variables, PARLEY_MEDIA_STORE: absent })).rejects.toThrow(
    'has no bucket absent',
  );
});

const runClaimJob = (): void => {
  const closing = new AbortController();
  void createClaimJob(server.ctx, 10)(closing.signal, closing.signal);
  onTestFinished(() => closing.abort());
};
const countMentions = (text: string) => server.log.filter((line) => line.includes(text)).length;

test.each([
  ['fails', DOWN],
  ['closes connections', 'reset'],
] as const)('starts while the store %s, and deletes files once it works', async (_, fault) => {
  const chatroom = await beginChat(alice, await server.signIn('Bob'));
  const { body } = await upload(alice, 'image', picture);
  const { _id: messageId } = await send(alice, chatroom, body.url);
  for (const method of ['GET', 'PUT', 'HEAD']) proxy.fail(method, fault);
  server = await server.restart();
  expect(countMentions('until the media store works again')).toBe(1);
  await send(alice, chatroom, 'a text');
  expect((await upload(alice, 'image', picture)).status).toBe(503);
  expect((await alice.request('DELETE', '/api/messages/delete', { messageId })).status).toBe(200);
  proxy.recover();
  await eraseQueued(server.ctx, new AbortController().signal);
  expect(await listUploadedFiles(server)).toHaveLength(1);
  runClaimJob();
  await until(async () => {
    await eraseQueued(server.ctx, new AbortController().signal);
    return (await listUploadedFiles(server)).length === 0;
  });
});

test('deletes no files of the original on a copy of its database, until it takes the store over', async () => {
  const chatroom = await beginChat(alice, await server.signIn('Bob'));
  const { body } = await upload(alice, 'image', picture);
  const { _id: messageId } = await send(alice, chatroom, body.url);
  const copyDir = await mkdtemp(join(tmpdir(), 'parley-copy-'));
  onTestFinished(() => rm(copyDir, { recursive: true }));
  const archive = join(copyDir, 'backup.tar');
  await runCommand(server.variables, 'backup', archive);
  const copyData = join(copyDir, 'data');
  await runCommand({ PARLEY_DATA: copyData }, 'restore', archive);

  const original = server;
  const run = (...args: string[]) =>
    runCommand({ ...variables, PARLEY_DATA: copyData }, ...args, '--json');
  const checkMedia = async () =>
    (await run('doctor')).json.find(({ check }: { check: string }) => check === 'media');
  const copy = await startServer(variables, copyData);
  onTestFinished(() => copy.close());
  expect(copy.log.join('')).toContain('belongs to another copy of this database');
  expect(await checkMedia()).toMatchObject({
    outcome: 'warning',
    advice: expect.stringContaining('parley media adopt'),
  });
  const onCopy = createTestClient(copy.url, alice.cookie);
  expect(await onCopy.request('GET', new URL(body.url).pathname)).toMatchObject({ status: 200 });
  await onCopy.request('DELETE', '/api/messages/delete', { messageId });
  const { signal } = new AbortController();
  await eraseQueued(copy.ctx, signal);
  expect(await listUploadedFiles(original)).toHaveLength(1);

  expect((await run('media', 'adopt')).json).toEqual({ adopted: true });
  runClaimJob();
  await until(() => countMentions('belongs to another copy of this database') === 1);
  await alice.request('DELETE', '/api/messages/delete', { messageId });
  await eraseQueued(original.ctx, signal);
  expect(await listUploadedFiles(original)).toHaveLength(1);
  await claimStore(copy.ctx);
  await eraseQueued(copy.ctx, signal);
  expect(await listUploadedFiles(original)).toEqual([]);
  expect(await checkMedia()).toMatchObject({ outcome: 'ok' });
});

test('an account that is deleted without a running server loses its files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-stopped-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const target = new URL(proxy.url);
  target.pathname += '-stopped';
  const stopped = await startServer({ ...variables, PARLEY_MEDIA_STORE: target.href }, dataDir);
  expect((await upload(await stopped.signIn('Bob'), 'image', picture)).status).toBe(201);
  await stopped.close();
  const { code } = await runCommand(stopped.variables, 'user', 'delete', 'Bob', '--yes');
  expect([code, proxy.methods.filter((method) => method === 'DELETE')]).toEqual([0, ['DELETE']]);
});

/** Less than the ten seconds that a request to a silent store takes. */
const SILENCE_MS = 8_000;

test('deletes a message in time while the store does not respond', async () => {
  const chatroom = await beginChat(alice, await server.signIn('Bob'));
  const { body } = await upload(alice, 'image', picture);
  const { _id: messageId } = await send(alice, chatroom, body.url);
  proxy.fail('DELETE', 'silent');
  const deletion = alice.request('DELETE', '/api/messages/delete', { messageId });
  const isLate = sleep(SILENCE_MS, 'late', { ref: false });
  expect(await Promise.race([deletion, isLate])).toMatchObject({ status: 200 });
});

test('closes without waiting for a store that does not respond', async () => {
  const target = new URL(proxy.url);
  target.pathname += '-other';
  const other = await startServer({ ...variables, PARLEY_MEDIA_STORE: target.href });
  proxy.fail('GET', 'silent');
  const { length } = proxy.methods;
  const { signal } = new AbortController();
  const sweeping = expect(createSweeper(other.ctx).sweep(signal)).rejects;
  const failure = sweeping.toMatchObject({ code: 'MEDIA_STORE' });
  await until(() => proxy.methods.length > length);
  await other.close();
  await failure;
});

const doctor = async (env: Record<string, string> = {}) => {
  const command = { ...variables, PARLEY_DATA: server.dataDir, ...env };
  const { stdout } = await runCommand(command, 'doctor', '--json');
  return JSON.parse(stdout).filter(({ check }: { check: string }) => check === 'media store');
};

test('the doctor writes, reads, lists and deletes an object and leaves nothing behind', async () => {
  expect(await doctor()).toMatchObject([{ outcome: 'ok', message: expect.stringMatching(/ ms /) }]);
  expect(proxy.methods.slice(-6)).toEqual(['GET', 'GET', 'GET', 'DELETE', 'HEAD', 'DELETE']);
});

test.each([
  ['denied writing', 'PUT', { status: 403, reason: 'AccessDenied' }, /denied access/],
  ['denied reading', 'GET', { status: 403, reason: 'AccessDenied' }, /denied access/],
  ['a wrong content', 'GET', 'corrupt', /does not return what was written/],
  ['denied deletion', 'DELETE', { status: 403, reason: 'AccessDenied' }, /denied access/],
] as const)('the doctor finds %s', async (_, method, fault, message) => {
  proxy.fail(method, fault);
  expect(await doctor()).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(message) },
  ]);
});

test('continues with the same files after a restart', async () => {
  const { body } = await upload(alice, 'image', picture);
  server = await server.restart();
  const { pathname } = new URL(body.url);
  await until(async () => (await alice.request('GET', pathname)).status === 200);
  expect(await listUploadedFiles(server)).toHaveLength(1);
});

describe('a backup of object storage', () => {
  let folder: string;
  let archive: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-archive-'));
    archive = join(folder, 'backup.tar');
    const { body } = await upload(alice, 'image', picture);
    file = new URL(body.url).pathname.slice('/media/'.length);
    await upload(alice, 'audio', sample('voice.webm'));
    const backup = await runCommand(server.variables, 'backup', archive, '--json');
    expect(backup.json).toMatchObject({ mediaFiles: 2 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const sha256 = (bytes: Uint8Array | undefined) =>
    createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
  const restore = (env: Record<string, string>) => runCommand(env, 'restore', archive, '--json');
  /** Variables of a new data folder and a new folder of the store. */
  const createTarget = (name: string) => {
    const { PARLEY_MEDIA_STORE = '', ...keys } = objectStoreOf(join(folder, name));
    const url = new URL(PARLEY_MEDIA_STORE);
    url.searchParams.set('endpoint', new URL(proxy.url).searchParams.get('endpoint') ?? '');
    return { ...keys, PARLEY_DATA: join(folder, name), PARLEY_MEDIA_STORE: url.href };
  };

  test('can be restored to a folder and to another store', async () => {
    const expected = sha256(await readStoredFile(server, file));
    const onDisk = join(folder, 'disk');
    expect((await restore({ PARLEY_DATA: onDisk })).json).toMatchObject({ mediaFiles: 2 });
    expect(await readdir(join(onDisk, 'media'))).toHaveLength(2);
    expect(sha256(await readFile(join(onDisk, 'media', file)))).toBe(expected);

    const target = createTarget('objects');
    expect((await restore(target)).json).toMatchObject({ mediaFiles: 2 });
    expect(await readdir(join(folder, 'objects/media'))).toEqual([]);
    const restored = await startServer(target, target.PARLEY_DATA);
    expect((await listUploadedFiles(restored)).toSorted()).toEqual(
      (await listUploadedFiles(server)).toSorted(),
    );
    expect(sha256(await readStoredFile(restored, file))).toBe(expected);
    await restored.close();
  });

  test('is not restored to a store with files, and a failure leaves nothing behind', async () => {
    const onto = await restore({ ...server.variables, PARLEY_DATA: join(folder, 'again') });
    expect(onto).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });

    const target = createTarget('failed');
    proxy.fail('HEAD', DOWN);
    expect(await restore(target)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('responded with an error (503'),
    });
    expect(existsSync(target.PARLEY_DATA)).toBe(false);
    proxy.recover();
    expect((await restore(target)).json).toMatchObject({ mediaFiles: 2 });
  });

  test('fails instead of leaving out files that the store does not return', async () => {
    proxy.fail('GET', DOWN);
    const again = join(folder, 'again.tar');
    expect(await runCommand(server.variables, 'backup', again)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('responded with an error (503'),
    });
    expect(existsSync(again)).toBe(false);
  });
});
