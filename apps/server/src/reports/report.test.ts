import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportBody } from '@parley/contract/schemas';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, recordEvents, send } from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import {
  createTestClient,
  startServer,
  type TestServer,
  type TestUser,
} from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';
import {
  countReportRows,
  listReportsAsJson,
  reportPartner,
  sendPicture,
  showReportAsJson,
} from '../../test/reporting.ts';
import { sample } from '../../test/samples.ts';
import { mountSmallDisk } from '../../test/small-disk.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { spawnServer } from '../../test/spawn-server.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { jpegOfSize } from '../../test/uploading.ts';
import {
  CLOSED_RETENTION,
  createReport,
  eraseEndedReports,
  INCOMPLETE_RETENTION,
  PART_SIZE,
} from './report.service.ts';

const MIB = 2 ** 20;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;
beforeEach(async () => {
  server = await startServer();
  await createUsers();
});
afterEach(() => server.close());

async function createUsers(): Promise<void> {
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
  room = await beginChat(bob, ada, 'hello');
}

/** Replaces the server by one whose data folder stays when it is closed. */
async function startOn(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  await server.close();
  server = await startServer(env, dataDir);
  await createUsers();
}

const parley = (...args: string[]) => runCommand(server.variables, ...args);
const report = (user: TestUser, body?: Partial<ReportBody>) => reportPartner(user, room, body);

async function makeTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test(
  'the operator gets copies of the chosen messages, which stay when their sender changes them',
  { tags: ['postgres'] },
  async () => {
    const { _id: textId } = await send(bob, room, 'you \u001b[31mfool\u202e\nsecond line');
    const { _id: editedId } = await send(bob, room, 'before');
    const edit = { messageId: editedId, content: 'after' };
    expect((await bob.request('PATCH', '/api/messages/edit', edit)).status).toBe(200);
    const picture = await sendPicture(bob, room);
    const bytes = await readStoredFile(server, picture.file);
    await send(bob, room, 'not reported');

    const events = recordEvents(server);
    const body: Partial<ReportBody> = {
      messageIds: [picture.id, textId, editedId.toUpperCase(), textId],
      reason: 'harassment',
      comment: 'He\u0007 writes\n\nthis',
    };
    expect(await report(ada, body)).toMatchObject({ status: 201, body: { ok: true } });
    expect(events).toEqual([]);
    for (const messageId of [textId, picture.id]) {
      await bob.request('DELETE', '/api/messages/delete', { messageId });
    }
    await bob.request('PATCH', '/api/messages/edit', { messageId: editedId, content: 'harmless' });

    const [{ id, ...listed }] = await listReportsAsJson(server);
    expect(listed).toEqual({
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      closedAt: null,
      reporter: 'Ada',
      reported: 'Bob',
      reason: 'harassment',
      messages: 3,
    });
    expect((await parley('report', 'list')).stdout).toMatch(
      new RegExp(`${id} +\\d{4}-\\d\\d-\\d\\d +open +harassment +3 +Bob +Ada`),
    );
    const folder = join(await makeTempFolder(), 'new');
    const shown = await showReportAsJson(server, id, '--files', folder);
    expect(shown).toMatchObject({ comment: 'He\u0007 writes\nthis', reporter: 'Ada' });
    const { sentAt } = shown.messages[0];
    expect(shown.messages).toEqual([
      {
        sentAt,
        editedAt: null,
        kind: 'text',
        content: 'you \u001b[31mfool\u202e\nsecond line',
        bytes: null,
        file: null,
      },
      expect.objectContaining({ content: 'after', editedAt: expect.any(String) }),
      expect.objectContaining({
        kind: 'image',
        content: '',
        bytes: bytes?.length,
        file: join(folder, `${id}-3.jpg`),
      }),
    ]);
    expect(await readFile(shown.messages[2].file)).toEqual(bytes);
    if (process.platform !== 'win32') {
      expect((await stat(shown.messages[2].file)).mode & 0o777).toBe(0o600);
    }
    // A file is never replaced.
    expect(await parley('report', 'show', id, '--files', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists and was not replaced'),
    });

    const { stdout } = await parley('report', 'show', id);
    expect(stdout).toContain('Comment   He\\u{7} writes\n          this\n');
    expect(stdout).toContain('   you \\u{1b}[31mfool\\u{202e}\n   second line\n');
    expect(stdout).toMatch(/image, image\/jpeg, \d+ bytes: save it with --files <folder>/);
    const json = await parley('report', 'show', id, '--json');
    expect(json.stdout).toContain('\\u202e');

    const log = server.log.filter((line) => line.includes('reported'));
    expect(log.map((line) => JSON.parse(line).report)).toEqual([id]);
    for (const secret of ['Ada', 'Bob', 'fool']) expect(log.join('')).not.toContain(secret);
  },
);

describe('a report is rejected', () => {
  const update = (table: 'messages' | 'chatroom_members', id: string, values: object) =>
    server.ctx.storage.write(({ trx }) =>
      trx
        .updateTable(table)
        .set(values)
        .where(table === 'messages' ? 'id' : 'user_id', '=', id)
        .execute(),
    );

  test(
    'with a message that is not a visible one of the partner',
    { tags: ['postgres'] },
    async () => {
      const other = await beginChat(bob, await server.signIn('Carl'));
      const sent = async (user: TestUser, chatroom = room) => (await send(user, chatroom, 'x'))._id;
      const [cleared, deleted, withheld] = [
        await send(bob, room, 'x'),
        await sent(bob),
        await sent(bob),
      ];
      await bob.request('DELETE', '/api/messages/delete', { messageId: deleted });
      await update('messages', withheld, { withheld: 1 });
      await update('chatroom_members', ada.id, { cleared_seq: cleared.seq });
      const visible = await sent(bob);
      const hidden = {
        own: await sent(ada),
        'in another chatroom': await sent(bob, other),
        deleted,
        withheld,
        cleared: cleared._id,
        unknown: UNKNOWN,
      };
      for (const [what, id] of Object.entries(hidden)) {
        expect(await report(ada, { messageIds: [visible, id] }), what).toMatchObject({
          status: 404,
          body: { code: 'message_not_found' },
        });
      }
      expect(await countReportRows(server)).toEqual([0, 0, 0]);
    },
  );

  test(
    'in a chatroom that the reporter cannot read, or without a partner',
    { tags: ['postgres'] },
    async () => {
      const notFound = { status: 404, body: { code: 'room_not_found' } };
      expect(await report(await server.signIn('Carl'))).toMatchObject(notFound);
      expect(await report(ada, { chatroom: UNKNOWN })).toMatchObject(notFound);
      await update('chatroom_members', ada.id, { consent: 'declined' });
      expect(await report(ada)).toMatchObject(notFound);

      // The blocker can still read the chatroom.
      await update('chatroom_members', ada.id, { consent: 'requested', blocked_at: 1 });
      expect((await report(ada)).status).toBe(201);
      await eraseAccount(server, bob);
      expect(await report(ada)).toMatchObject({ status: 403, body: { code: 'partner_deleted' } });
    },
  );

  test('from the sixth on a day, without counting those that were rejected', async () => {
    server = await server.restart({ PARLEY_RATE_LIMITS: 'true' });
    for (let i = 0; i < 5; i += 1) {
      expect((await report(ada, { messageIds: [UNKNOWN] })).status).toBe(404);
      expect((await report(ada)).status).toBe(201);
    }
    for (const body of [{}, { messageIds: [UNKNOWN] }]) {
      expect(await report(ada, body)).toMatchObject({
        status: 429,
        body: { code: 'rate_limited' },
      });
    }
    expect((await report(bob)).status).toBe(201);
  });

  test('with files if there is little disk space', async () => {
    const picture = await sendPicture(bob, room);
    server = await server.restart({ PARLEY_FREE_SPACE_MIN: '9999T' });
    expect(await report(ada, { messageIds: [picture.id] })).toMatchObject({
      status: 507,
      body: { code: 'storage_full' },
    });
    expect((await report(ada)).status).toBe(201);
  });

  test(
    'with files that would exceed the quota of all uploads together with other copies',
    { tags: ['postgres'] },
    async () => {
      const picture = await sendPicture(bob, room);
      const size = (await readStoredFile(server, picture.file))?.length ?? 0;
      // Enough for the upload and the copies of one report.
      const quota = 2 * size + PART_SIZE * Math.ceil(size / PART_SIZE) - 1;
      server = await server.restart({ PARLEY_QUOTA_MEDIA_TOTAL: String(quota) });
      expect((await report(ada, { messageIds: [picture.id] })).status).toBe(201);
      expect(await report(ada, { messageIds: [picture.id] })).toMatchObject({
        status: 507,
        body: { code: 'storage_full' },
      });
      expect((await report(ada)).status).toBe(201);
    },
  );

  // The database of PostgreSQL is on another disk.
  test.skipIf(IS_ON_POSTGRES)('on a full disk, and leaves nothing behind', async ({ skip }) => {
    const dataDir = await makeTempFolder();
    mountSmallDisk(dataDir, 32, skip);
    await startOn(dataDir, { PARLEY_FREE_SPACE_MIN: '0' });
    const { id } = await sendPicture(bob, room, jpegOfSize(sample('picture.jpg'), 4 * MIB));

    const ballast = join(dataDir, 'ballast');
    await writeFile(ballast, Buffer.alloc(26 * MIB));
    expect(await report(ada, { messageIds: [id] })).toMatchObject({
      status: 507,
      body: { code: 'storage_full' },
    });
    expect(await listReportsAsJson(server, '--all')).toEqual([]);
    await rm(ballast);
    // What did not fit and could not be erased either.
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('reports').set({ created_at: 1 }).execute(),
    );
    await eraseEndedReports(server.ctx, new AbortController().signal);
    expect(await countReportRows(server)).toEqual([0, 0, 0]);
    expect((await report(ada, { messageIds: [id] })).status).toBe(201);
  });
});

test('a server that is killed while it stores reports leaves only complete ones', async () => {
  const dataDir = await makeTempFolder();
  await startOn(dataDir);
  const picture = await sendPicture(bob, room, jpegOfSize(sample('picture.jpg'), 3 * MIB));
  const bytes = (await readStoredFile(server, picture.file))?.length;
  await server.close();

  const spawned = await spawnServer(dataDir, { variables: server.variables });
  const client = { ...ada, ...createTestClient(spawned.url, ada.cookie) };
  const pending = Array.from({ length: 8 }, () =>
    report(client, { messageIds: [picture.id] }).catch(() => undefined),
  );
  const first = await Promise.any(pending);
  await spawned.kill();
  expect(first?.status).toBe(201);
  const accepted = (await Promise.all(pending)).filter((result) => result?.status === 201).length;

  server = await startServer({}, dataDir);
  const reports = await listReportsAsJson(server);
  expect(reports.length).toBeGreaterThanOrEqual(accepted);
  for (const { id } of reports) {
    expect((await showReportAsJson(server, id)).messages).toMatchObject([{ bytes }]);
  }
});

describe('a report with a large file', () => {
  const sendLargePicture = async () =>
    (await sendPicture(bob, room, jpegOfSize(sample('picture.jpg'), 2 * MIB))).id;

  /** Creates a report, with a step before each of its writes. */
  async function createWith(beforeWrite: (i: number) => Promise<void>): Promise<number> {
    const messageId = await sendLargePicture();
    let writes = 0;
    const write: typeof server.ctx.storage.write = async (...args) => {
      await beforeWrite(writes);
      writes += 1;
      return server.ctx.storage.write(...args);
    };
    const ctx = { ...server.ctx, storage: { ...server.ctx.storage, write } };
    await createReport(ctx, ada.id, { chatroom: room, messageIds: [messageId], reason: 'spam' });
    return writes;
  }

  test('is stored in short writes, and operators see it once it is complete', async () => {
    const seen: number[] = [];
    const writes = await createWith(async () => {
      seen.push((await listReportsAsJson(server)).length);
    });
    expect(writes).toBe((2 * MIB) / (4 * PART_SIZE));
    expect(seen).toEqual(seen.map(() => 0));
    expect(await listReportsAsJson(server)).toMatchObject([{ messages: 1 }]);
  });

  test.each([
    ['reporting', 'unauthenticated'],
    ['reported', 'partner_deleted'],
  ])(
    'leaves nothing when the %s account ends meanwhile',
    { tags: ['postgres'] },
    async (which, code) => {
      const created = createWith(async (i) => {
        if (i === 3) await eraseAccount(server, which === 'reporting' ? ada : bob);
      });
      await expect(created).rejects.toMatchObject({ code });
      expect(await countReportRows(server)).toEqual([0, 0, 0]);
    },
  );

  test(
    'is erased after an hour if its server ended before it was complete',
    { tags: ['postgres'] },
    async () => {
      await createWith(() => Promise.resolve());
      const setStart = (age: number) =>
        server.ctx.storage.write(({ trx }) =>
          trx
            .updateTable('reports')
            .set({ is_complete: 0, created_at: Date.now() - age })
            .execute(),
        );
      await setStart(INCOMPLETE_RETENTION - 60_000);
      await eraseEndedReports(server.ctx, new AbortController().signal);
      expect(await countReportRows(server)).toEqual([1, 1, expect.any(Number)]);
      await setStart(INCOMPLETE_RETENTION + 60_000);
      await eraseEndedReports(server.ctx, new AbortController().signal);
      expect(await countReportRows(server)).toEqual([0, 0, 0]);
    },
  );
});

test('closed reports are erased after 30 days, in batches', { tags: ['postgres'] }, async () => {
  const picture = await sendPicture(bob, room, jpegOfSize(sample('picture.jpg'), 2 * MIB));
  const { _id: textId } = await send(bob, room, 'text');
  for (let i = 0; i < 3; i += 1) await report(ada, { messageIds: [picture.id, textId] });
  const [first, second] = await listReportsAsJson(server);
  for (const [{ id }, age] of [
    [first, CLOSED_RETENTION + 60_000],
    [second, CLOSED_RETENTION - 60_000],
  ] as const) {
    expect(await parley('report', 'close', id)).toMatchObject({ code: 0 });
    await server.ctx.storage.write(({ trx }) =>
      trx
        .updateTable('reports')
        .set({ closed_at: Date.now() - age })
        .where('id', '=', id)
        .execute(),
    );
  }
  const [, , parts = 0] = await countReportRows(server);
  let writes = 0;
  const write: typeof server.ctx.storage.write = (...args) => {
    writes += 1;
    return server.ctx.storage.write(...args);
  };
  await eraseEndedReports(
    { storage: { ...server.ctx.storage, write } },
    new AbortController().signal,
  );
  expect(writes).toBeGreaterThan(parts / 3 / 4);
  expect(await countReportRows(server)).toEqual([2, 4, (parts / 3) * 2]);
  expect(
    (await listReportsAsJson(server, '--all')).map(({ id }: { id: string }) => id),
  ).not.toContain(first.id);
});

test(
  'reports end with the reported account, and lose their reporter and comment with the reporting one',
  { tags: ['postgres'] },
  async () => {
    const picture = await sendPicture(bob, room);
    await report(ada, { messageIds: [picture.id], comment: 'about Bob' });
    const { _id: id } = await send(ada, room, 'from Ada');
    await report(bob, { messageIds: [id], comment: 'about Ada' });

    await eraseAccount(server, bob);
    const reports = await listReportsAsJson(server);
    expect(reports).toMatchObject([{ reported: 'Ada', reporter: null, messages: 1 }]);
    expect(await showReportAsJson(server, reports[0].id)).toMatchObject({
      comment: '',
      messages: [{ content: 'from Ada' }],
    });
    expect((await parley('report', 'list')).stdout).toContain('Ada       (deleted account)');
    expect(await countReportRows(server)).toEqual([1, 1, 0]);
  },
);

test('metrics and doctor count open reports', { tags: ['postgres'] }, async () => {
  const readMetric = async (name: string) =>
    new RegExp(`^${name} (\\d+)$`, 'm').exec(
      String((await server.client().request('GET', '/metrics')).body),
    )?.[1];
  const findings = async () =>
    (await parley('doctor', '--json')).json.filter(
      ({ check }: { check: string }) => check === 'reports',
    );
  // The metric counts since the start.
  server = await server.restart();
  await report(ada);
  await report(bob);
  expect(await readMetric('parley_reports_open')).toBe('2');
  expect(await readMetric('parley_reports_total')).toBe('2');
  expect(await findings()).toMatchObject([{ outcome: 'ok', message: '2 open' }]);

  const [{ id }] = await listReportsAsJson(server);
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('reports').set({ created_at: 1 }).where('id', '=', id).execute(),
  );
  expect(await findings()).toMatchObject([
    { outcome: 'warning', message: '2 open, 1 of them for more than 14 days' },
  ]);
  await parley('report', 'close', id);
  expect(await readMetric('parley_reports_open')).toBe('1');
  expect(await findings()).toMatchObject([{ outcome: 'ok', message: '1 open' }]);
});
