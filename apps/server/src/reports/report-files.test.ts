import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import {
  countReportRows,
  listReportsAsJson,
  reportPartner,
  sendPicture,
  showReportAsJson,
} from '../../test/reporting.ts';
import { runCommand } from '../../test/run-command.ts';
import { sample } from '../../test/samples.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { jpegOfSize } from '../../test/uploading.ts';

const MIB = 2 ** 20;

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;
beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
  room = await beginChat(bob, ada);
});
afterEach(() => server.close());

const report = (user: TestUser, messageIds: string[]) => reportPartner(user, room, { messageIds });

async function makeTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a report contains up to 10 MiB of files, also if several are sent at once', async () => {
  const large = await sendPicture(bob, room, jpegOfSize(sample('picture.jpg'), 10 * MIB));
  const small = await sendPicture(bob, room);
  const bytes = await readStoredFile(server, large.file);
  expect(bytes?.length).toBeGreaterThan(10 * MIB - 65_536);
  expect(await report(ada, [large.id, small.id])).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
  const sent = await Promise.all([
    ...[0, 1, 2].map(() => report(ada, [large.id])),
    report(bob, []),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(await countReportRows(server)).toEqual([4, 3, 3 * 160]);
  const folder = await makeTempFolder();
  const [, { id }] = (await listReportsAsJson(server)).filter(
    ({ reported }: { reported: string }) => reported === 'Bob',
  );
  const { messages } = await showReportAsJson(server, id, '--files', folder);
  expect((await readFile(messages[0].file)).equals(bytes ?? Buffer.alloc(0))).toBe(true);
});

test('a report can contain any file that was stored, even if it is larger', async () => {
  const picture = await sendPicture(bob, room);
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('media')
      .set({ size: 10 * MIB + 1 })
      .execute(),
  );
  expect((await report(ada, [picture.id])).status).toBe(201);
});

test('a report says that a file was missing', async () => {
  const picture = await sendPicture(bob, room);
  await server.ctx.media.remove(picture.file);
  expect((await report(ada, [picture.id])).status).toBe(201);
  const [{ id }] = await listReportsAsJson(server);
  expect(await showReportAsJson(server, id, '--files', await makeTempFolder())).toMatchObject({
    messages: [{ kind: 'image', bytes: 0, file: null }],
  });
  expect((await runCommand(server.variables, 'report', 'show', id)).stdout).toContain(
    '[image: the file was missing',
  );
});
