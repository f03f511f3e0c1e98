import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { COMPILE_CACHE } from '@parley/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, readChatroom, send } from '../../test/chatting.ts';
import { exportData, listExportsOf } from '../../test/exporting.ts';
import {
  MAIN,
  runCommand,
  runCommandProcess,
  runCommandWithInput,
  runProgram,
} from '../../test/run-command.ts';
import { NEWEST_SCHEMA } from '../../test/create-data-folder.ts';
import { startFreshServer, userAt, type TestServer, type TestUser } from '../../test/harness.ts';
import { variablesOf } from '../../test/test-database.ts';
import { sample } from '../../test/samples.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { openCopy } from '../storage/open.ts';
import { listMediaFiles } from '../media/media.service.ts';
import { discardUploads } from './discard-uploads.ts';

let folder: string;
let archive: string;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let chatroom: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
  archive = join(folder, 'backup.tar');
  server = await startFreshServer();
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
  chatroom = await beginChat(ada, bob, 'first');
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const backup = () => runCommand(server.variables, 'backup', archive, '--json');
const restore = async (dataDir = join(folder, 'restored')) =>
  runCommand(await variablesOf(dataDir), 'restore', archive, '--json');

async function sendImage(): Promise<string> {
  const { body } = await upload(ada, 'image', sample('picture.png'));
  const { content } = await send(ada, chatroom, body.url);
  return new URL(content).pathname;
}

test('restores everything that was acknowledged before a backup under load', async () => {
  const paths = [await sendImage(), await sendImage()];
  const over = new AbortController();
  const sentUnderLoad: string[] = [];
  const load = [ada, bob].map(async (user, i) => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      sentUnderLoad.push((await send(user, chatroom, `load ${i} ${n}`)).content);
    }
  });
  for (let i = 0; i < 5; i += 1) await send(ada, chatroom, `before ${i}`);
  const before = [...sentUnderLoad];
  // Run as a separate process, as an operator would.
  const done = await runCommandProcess(server.variables, ['backup', archive, '--json']);
  over.abort();
  await Promise.all(load);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.json).toMatchObject({ mediaFiles: 2, schema: NEWEST_SCHEMA });
  expect(readdirSync(folder)).toEqual(['backup.tar']);

  const dataDir = join(folder, 'restored');
  expect((await restore()).json).toMatchObject({ dataDir, mediaFiles: 2 });
  const again = await startFreshServer({}, dataDir);
  const reader = userAt(again.url, ada);
  const contents = new Set<string>();
  for (let cursor = ''; ;) {
    const page = await readChatroom(reader, chatroom, `?limit=200${cursor}`);
    for (const message of page.chatroomMessages) contents.add(message.content);
    if (!page.hasMore) break;
    cursor = `&before=${page.chatroomMessages[0]?.seq}`;
  }
  for (const content of ['first', ...before, 'before 0', 'before 4']) {
    expect(contents).toContain(content);
  }
  for (const path of paths) {
    expect(await reader.request('GET', path)).toMatchObject({ status: 200 });
  }
  await again.close();
});

test('backs up through a pipe and rejects a truncated archive', async () => {
  await sendImage();
  const child = spawn(process.execPath, [MAIN, 'backup', '-', '--json'], {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], ...server.variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [bytes, output] = await Promise.all([buffer(child.stdout), text(child.stderr)]);
  expect(JSON.parse(output)).toEqual({
    file: '-',
    bytes: bytes.length,
    mediaFiles: 1,
    schema: NEWEST_SCHEMA,
  });
  expect(readdirSync(server.dataDir).filter((name) => name.startsWith('.'))).toEqual([]);

  const dataDir = join(folder, 'restored');
  const variables = await variablesOf(dataDir);
  const restoreFrom = (archived: Buffer) =>
    runCommandWithInput(Readable.from([archived]), variables, 'restore', '-', '--json');
  expect(await restoreFrom(bytes.subarray(0, bytes.length - 2048))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was restored'),
  });
  expect((await restoreFrom(bytes)).json).toMatchObject({ dataDir, mediaFiles: 1 });
});

test('a backup does not contain an image that is deleted while it runs', async () => {
  const path = await sendImage();
  const { storage: live, maintenance } = server.ctx;
  const file = join(folder, 'snapshot.db');
  await maintenance.snapshot(file);
  const { storage: snapshot, close } = openCopy(file);
  const files = await snapshot.read(listMediaFiles);
  expect(files).toEqual([path.split('/').at(-1)]);

  await expect(discardUploads(live, snapshot, files)).rejects.toThrow('is missing');
  const { chatroomMessages } = await readChatroom(ada, chatroom);
  await ada.request('DELETE', '/api/messages/delete', { messageId: chatroomMessages[1]?._id });
  await discardUploads(live, snapshot, files);
  expect(await snapshot.read(listMediaFiles)).toEqual([]);
  const rows = await snapshot.read((db) =>
    db.selectFrom('messages').select(['content', 'deleted_at']).execute(),
  );
  expect(rows).toEqual([
    { content: 'first', deleted_at: null },
    { content: '', deleted_at: expect.any(Number) },
  ]);
  await close();
});

test('a backup contains no exports, whose files it leaves out', async () => {
  await exportData(ada);
  await sendImage();
  expect((await backup()).json).toMatchObject({ mediaFiles: 1 });
  const { code } = await restore();
  expect(code).toBe(0);
  const restored = await startFreshServer({}, join(folder, 'restored'));
  try {
    expect(await listExportsOf(userAt(restored.url, ada))).toEqual([]);
    expect(await listUploadedFiles(restored)).toHaveLength(1);
  } finally {
    await restored.close();
  }
});

test('rejects a corrupt archive and leaves nothing behind', async () => {
  await sendImage();
  expect(await backup()).toMatchObject({ code: 0 });
  const whole = readFileSync(archive);
  const expectRejection = async (bytes: Buffer) => {
    writeFileSync(archive, bytes);
    const { code, stderr } = await restore();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Nothing was restored/),
    });
    expect(readdirSync(folder)).toEqual(['backup.tar']);
  };
  for (const at of [0.01, 0.3, 0.6, 0.95]) {
    const bytes = Buffer.from(whole);
    const place = Math.floor(whole.length * at);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await expectRejection(bytes).catch((error: unknown) => {
      // A flipped bit in the padding between two entries changes nothing.
      if (whole.subarray(place - 8, place + 8).some((byte) => byte !== 0)) throw error;
      rmSync(join(folder, 'restored'), { recursive: true });
    });
  }
  for (const part of [0, 0.2, 0.9]) await expectRejection(whole.subarray(0, whole.length * part));
  await expectRejection(Buffer.concat([whole.subarray(0, 512), whole]));
  await expectRejection(Buffer.from('no archive at all'));

  writeFileSync(archive, whole);
  expect(await restore()).toMatchObject({ code: 0 });
});

test('never overwrites an archive or a folder that is not empty', async () => {
  expect(await backup()).toMatchObject({ code: 0 });
  expect(await backup()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  });
  expect(await restore(server.dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  });
  const cutOff = join(folder, 'cut-off');
  mkdirSync(join(cutOff, '.restore-x'), { recursive: true });
  expect(await restore(cutOff)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'it contains .restore-x, which is left over from a restore that',
    ),
  });
  truncateSync(archive, 0);
  expect(await restore()).toMatchObject({ code: 1 });
});

test('reports a missing file and creates no archive', async () => {
  await sendImage();
  for (const name of await listUploadedFiles(server)) rmSync(join(server.dataDir, 'media', name));
  const { code, stderr } = await backup();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is missing') });
  expect(readdirSync(folder)).toEqual([]);
});

test('leaves no incomplete file on a full disk', async (context) => {
  await sendImage();
  // Mount a small disk if the system allows it.
  const disk = join(folder, 'disk');
  const script = `mkdir ${disk} && mount -t tmpfs -o size=180k tmpfs ${disk} && cd ${disk} &&
    ${process.execPath} ${MAIN} backup ${disk}/backup.tar; echo "exit $?"; ls -A ${disk}`;
  // The server runs in this process, so it must not wait for the other one.
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script];
  const env = { PATH: process.env['PATH'] ?? '', ...server.variables };
  const run = await runProgram('unshare', args, env).catch(() => undefined);
  if (!run?.stdout.includes('exit')) {
    context.skip('mounting a small disk is not allowed here');
    return;
  }
  expect(run.stdout).toBe('exit 1\n');
  expect(run.stderr).toContain('parley: The disk is full.');
});
