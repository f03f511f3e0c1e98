import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { beginUpload, listUploadedFiles, upload } from '../../test/uploading.ts';

let server: TestServer;
let alice: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
});
afterEach(() => server.close());

const HEAD = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
const TAIL = '\r\n--x--\r\n';

/** Begins an upload whose last part is sent later. */
async function beginImage() {
  const picture = sample('picture.png');
  const length = HEAD.length + picture.length + TAIL.length;
  const socket = beginUpload(server, alice, length, ['connection: close']);
  const response = text(socket);
  return {
    sendStart: () => socket.write(Buffer.concat([Buffer.from(HEAD), picture.subarray(0, 20)])),
    sendAll: () => socket.write(Buffer.concat([Buffer.from(HEAD), picture, Buffer.from(TAIL)])),
    sendRest: () => socket.write(Buffer.concat([picture.subarray(20), Buffer.from(TAIL)])),
    response,
  };
}

test('rejects an upload with 401 if its account is deleted during the upload, and leaves no file', async () => {
  const { sendStart, sendRest, response } = await beginImage();
  sendStart();
  await until(async () => (await listUploadedFiles(server)).length === 1);
  expect((await alice.request('DELETE', '/api/users/delete')).status).toBe(200);
  sendRest();
  expect(await response).toMatch(/^HTTP\/1\.1 401 /);
  await waitForErasure(server);
  expect(await listUploadedFiles(server)).toEqual([]);
  const rows = await server.ctx.storage.read((db) => db.selectFrom('media').select('id').execute());
  expect(rows).toEqual([]);
});

test('never responds with 500 to uploads during an account deletion', async () => {
  const uploads = Array.from({ length: 4 }, () => upload(alice, 'image', sample('picture.png')));
  const deletion = alice.request('DELETE', '/api/users/delete');
  for (const { status } of await Promise.all(uploads)) expect([201, 401]).toContain(status);
  expect((await deletion).status).toBe(200);
  await waitForErasure(server);
  expect(await listUploadedFiles(server)).toEqual([]);
});

/**
 * Uses up all file descriptors of this process, which the server shares. Returns a function to free
 * them.
 */
function takeAllDescriptors(): () => void {
  const pid = String(process.pid);
  const read = () =>
    spawnSync('prlimit', ['--pid', pid, '--nofile', '--output=SOFT', '--noheadings'], {
      encoding: 'utf8',
    }).stdout.trim();
  const limit = read();
  const last = openSync('/dev/null', 'r');
  closeSync(last);
  const set = (soft: string) => spawnSync('prlimit', ['--pid', pid, `--nofile=${soft}:`]);
  set(String(last + 32));
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error;
  }
  return () => {
    for (const descriptor of taken.splice(0)) closeSync(descriptor);
    set(limit);
  };
}

test.skipIf(spawnSync('prlimit', ['--version']).status !== 0)(
  'rejects an upload with 503 if no file descriptor is left, and leaves no file',
  async () => {
    const isRequested = new Promise<unknown>((resolve) => {
      subscribe('http.server.request.start', resolve);
      onTestFinished(() => void unsubscribe('http.server.request.start', resolve));
    });
    const { sendAll, response } = await beginImage();
    await isRequested;
    // Since then, the server has responded to another request, so the upload has passed the checks before its body.
    expect((await alice.request('GET', '/api/users/current')).status).toBe(200);
    const release = takeAllDescriptors();
    onTestFinished(release);
    sendAll();
    expect(await response).toMatch(/^HTTP\/1\.1 503 /);
    release();
    expect(await listUploadedFiles(server)).toEqual([]);
    expect((await upload(alice, 'image', sample('picture.png'))).status).toBe(201);
  },
);
