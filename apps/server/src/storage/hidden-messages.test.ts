import SQLite from 'better-sqlite3';
import { sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { changesSince, beginChat, openChatList, readChatroom, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { search } from '../../test/search-requests.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { runOn } from '../../test/test-database.ts';
import { keepUnarchived } from '../accounts/account-deletion.repository.ts';
import { hasMessageAfter } from '../chatrooms/chat-settings.repository.ts';
import { findSentMessages } from '../erasure/account-eraser.repository.ts';
import { findMessagesUpTo } from '../erasure/chatroom-eraser.repository.ts';
import { countUnread, findNews } from '../notifications/unread.repository.ts';
import { databaseFile } from './open.ts';
import { createPool, PostgresConnection } from './postgres/postgres-connection.ts';
import { SqliteConnection } from './sqlite/sqlite-connection.ts';

/** Number of messages in a chatroom that the user does not see. */
const HIDDEN = 20_000;

/** Why a user does not see messages of a chatroom. */
const REASONS = [
  'none',
  'deleted',
  'own-deleted',
  'withheld',
  'cleared',
  'own-cleared',
  'ended',
] as const;
type Reason = (typeof REASONS)[number];

/** A chatroom of Ada that begins with her message and one of the partner. */
interface TestChatroom {
  readonly id: string;
  readonly partner: TestUser;
  readonly lastSeq: number;
}

let server: TestServer;
const users = new Map<Reason, TestUser>();
const rooms = new Map<Reason, TestChatroom>();
beforeAll(async () => {
  server = await startServer();
  for (const reason of REASONS) {
    const user = await server.signIn(`Ada ${reason}`);
    users.set(reason, user);
    rooms.set(reason, await createHidden(reason, user));
  }
  const { databaseUrl } = server.ctx.config;
  if (databaseUrl !== undefined) await runOn(databaseUrl, 'analyze');
});
afterAll(() => server.close());

async function createHidden(reason: Reason, user: TestUser): Promise<TestChatroom> {
  const partner = await server.signIn(`Bob ${reason}`);
  const id = await beginChat(user, partner, 'Hello');
  await send(partner, id, 'Hi');
  const lastSeq = 2 + (reason === 'none' ? 0 : HIDDEN);
  const isDeleted = reason === 'deleted' || reason === 'own-deleted';
  const sender = reason.startsWith('own-') ? user : partner;
  await server.ctx.storage.write(async ({ trx }) => {
    await sql`
      insert into messages (id, chatroom_id, seq, rev, sender_id, kind, content, created_at, updated_at,
        deleted_at, withheld)
      with recursive positions (n) as
        (select 3 union all select n + 1 from positions where n < ${sql.lit(lastSeq)})
      select ${sql.lit(id.slice(0, 24))} || (100000000000 + n), ${id}, n, n, ${sender.id}, 'text',
        ${isDeleted ? '' : 'Hidden'}, 3, 3, ${isDeleted ? sql.lit(3) : sql`null`},
        ${sql.lit(reason === 'withheld' ? 1 : 0)}
      from positions where n <= ${sql.lit(lastSeq)}`.execute(trx);
    await trx
      .updateTable('chatrooms')
      .set({ last_seq: lastSeq, last_rev: lastSeq })
      .where('id', '=', id)
      .execute();
    await trx
      .updateTable('chatroom_members')
      .set({
        archived_seq: 1,
        member_rev: 1,
        ...(reason === 'cleared' && { cleared_seq: lastSeq }),
        ...(reason === 'own-cleared' && { own_cleared_seq: lastSeq }),
      })
      .where('chatroom_id', '=', id)
      .where('user_id', '=', user.id)
      .execute();
    if (reason !== 'ended') return;
    await trx.updateTable('users').set({ ended_at: 3 }).where('id', '=', partner.id).execute();
  });
  return { id, partner, lastSeq };
}

/** A user, and the chatroom with the hidden messages. */
interface Viewer {
  readonly user: TestUser;
  readonly room: TestChatroom;
}

function viewerOf(reason: Reason): Viewer {
  return {
    user: users.get(reason) ?? expect.fail(),
    room: rooms.get(reason) ?? expect.fail(),
  };
}

const readSeqs = async ({ user, room }: Viewer, page = '') =>
  (await readChatroom(user, room.id, page)).chatroomMessages.map(({ seq }) => seq);

/** Everything that reads the messages of a chatroom. */
const READS = {
  list: async ({ user }: Viewer) => (await openChatList(user))[0],
  markAsRead: async ({ user, room }: Viewer) => {
    const path = `/api/chatrooms/chats/${room.id}/mark-as-read`;
    return (await user.request('POST', path, { seq: 1 })).body.chat;
  },
  changes: async ({ user, room: { id, lastSeq } }: Viewer) =>
    (await changesSince(user, { [id]: lastSeq })).rooms[0]?.chat,
  page: (viewer: Viewer) => readSeqs(viewer),
  pageAfter: (viewer: Viewer) => readSeqs(viewer, '?after=0'),
  pageAround: (viewer: Viewer) => readSeqs(viewer, '?around=2'),
  pageAfterLast: (viewer: Viewer) => readSeqs(viewer, '?after=2'),
  unread: ({ user }: Viewer) =>
    server.ctx.storage.read((db) => countUnread(db, user.id, Date.now())),
  news: ({ user, room: { id } }: Viewer) =>
    server.ctx.storage.read((db) => findNews(db, { userId: user.id, chatroomId: id, since: 1 })),
  hasLater: ({ user, room: { id } }: Viewer) =>
    server.ctx.storage.read((db) => hasMessageAfter(db, id, user.id, 1)),
  hasLaterThanAll: ({ user, room: { id } }: Viewer) =>
    server.ctx.storage.read((db) => hasMessageAfter(db, id, user.id, 2)),
} satisfies Record<string, (viewer: Viewer) => Promise<unknown>>;

test.each(REASONS)('shows and counts no message that is hidden: %s', async (reason) => {
  const seesPartner = reason !== 'cleared' && reason !== 'ended';
  const seesOwn = reason !== 'own-cleared';
  const page = [...(seesOwn ? [1] : []), ...(seesPartner ? [2] : [])];
  const unread = seesPartner ? 1 : 0;
  const viewer = viewerOf(reason);
  const chat = { lastMessage: { seq: page.at(-1) }, unreadMessagesCount: unread };
  const listed = await READS.list(viewer);
  expect(listed).toMatchObject(chat);
  // The partner's message takes it out of the archive.
  expect(listed?.settings?.isArchived ?? false).toBe(!seesPartner);
  expect(await READS.markAsRead(viewer)).toMatchObject(chat);
  expect(await READS.changes(viewer)).toMatchObject(chat);
  for (const read of [READS.page, READS.pageAfter, READS.pageAround]) {
    expect(await read(viewer)).toEqual(page);
  }
  expect(await READS.pageAfterLast(viewer)).toEqual([]);
  expect(await READS.unread(viewer)).toBe(unread);
  const news = { seq: 2, kind: 'text', content: 'Hi', unread: 1, earlier: 0 };
  expect(await READS.news(viewer)).toEqual(seesPartner ? news : undefined);
  expect(await READS.hasLater(viewer)).toBe(seesPartner);
  expect(await READS.hasLaterThanAll(viewer)).toBe(false);
});

/** Runs `work` and returns the different queries of messages that it executes. */
async function recordQueries(work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const connection = IS_ON_POSTGRES ? PostgresConnection : SqliteConnection;
  const executed = vi.spyOn(connection.prototype, 'executeQuery');
  await work();
  const compiled = executed.mock.calls.map(([each]) => each);
  executed.mockRestore();
  return compiled.filter(
    ({ sql: text }, i) =>
      /\bmessages\b/.test(text) && compiled.findIndex((other) => other.sql === text) === i,
  );
}

/** What finds single messages, or a range of an index without those that the user does not see. */
const BOUNDED = [
  /^messages_(visible|deleted) \(chatroom_id=\? AND sender_id=\? AND withheld=\?( AND seq[<>]\?)+\)/,
  /^messages_seq \(seq=\? AND chatroom_id=\?\)/,
  /^messages_rev \(chatroom_id=\? AND rev>\?\)/,
  /^sqlite_autoindex_messages_1 \(id=\?\)/,
];

test.skipIf(IS_ON_POSTGRES).each(REASONS)(
  'reads ranges of an index that contain no hidden message: %s',
  async (reason) => {
    const viewer = viewerOf(reason);
    const { user } = viewer;
    const { id: chatroomId, partner } = viewer.room;
    const queries = await recordQueries(async () => {
      for (const read of Object.values(READS)) await read(viewer);
      await search(user, { chatroomId, kind: 'image' });
      const [db, other] = [server.ctx.storage, { chatroomId, userId: partner.id }];
      await db.read((reader) => findSentMessages(reader, { ...other, afterSeq: 0, limit: 10 }));
      await db.read((reader) => findMessagesUpTo(reader, chatroomId, partner.id, 0, 1, 10));
      await db.write(({ trx }) => keepUnarchived(trx, partner.id));
    });
    expect(queries.length).toBeGreaterThan(10);
    const sqlite = new SQLite(databaseFile(server.dataDir), { readonly: true });
    onTestFinished(() => void sqlite.close());
    const found = new Set<string>();
    for (const { sql: text, parameters } of queries) {
      const plan = sqlite
        .prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
        .all(...parameters)
        .map(({ detail }) => detail);
      const subqueries = plan.flatMap(
        (line) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(line)?.[1] ?? [],
      );
      for (const line of plan) {
        const [, scanned] = /^SCAN (\w+|\(.*\))/.exec(line) ?? [];
        const isOfRows = ['CONSTANT', 'json_each', ...subqueries].includes(scanned ?? 'CONSTANT');
        expect(isOfRows, `${line} in ${text}`).toBe(true);
        const [, index] = /INDEX ((?:sqlite_autoindex_)?messages_.*)$/.exec(line) ?? [];
        if (index === undefined) continue;
        found.add(index.slice(0, index.indexOf(' ')));
        expect(
          BOUNDED.some((each) => each.test(index)),
          `${line} in ${text}`,
        ).toBe(true);
      }
      // The ranges are merged in their order, without sorting one.
      expect(subqueries, text).not.toContain('found');
    }
    expect([...found]).toEqual(
      expect.arrayContaining(['messages_visible', 'messages_deleted', 'messages_seq']),
    );
  },
);

/** The root of the plan of a query that was executed. */
interface PlanRoot {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Returns how many pages of the database the different queries of messages read that `work` executes. */
async function countPages(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let pages = 0;
  for (const { sql: text, parameters } of await recordQueries(work)) {
    // The job that indexes messages reads them by `rowsOf`.
    if (text.includes('jsonb_array_elements(')) continue;
    await pool.query(`prepare explained as ${text}`);
    const values = parameters.map((value) => pg.escapeLiteral(String(value)));
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanRoot }] }>(
      `explain (analyze, buffers, format json) execute explained (${values.join(', ')})`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? expect.fail();
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    await pool.query('deallocate explained');
  }
  return pages;
}

test
  .runIf(IS_ON_POSTGRES)
  .each(
    ['force_custom_plan', 'force_generic_plan'].flatMap((mode) =>
      Object.entries(READS).map(([name, read]) => ({ mode, name, read })),
    ),
  )(
  'reads hardly more pages of the database with hidden messages than without: $name, $mode',
  async ({ mode, read }) => {
    const pool = createPool(server.ctx.config.databaseUrl ?? '', 1, {
      options: `-c plan_cache_mode=${mode}`,
    });
    onTestFinished(() => pool.end());
    // The first one of a connection also reads the catalog.
    await countPages(pool, () => read(viewerOf('none')));
    const usual = await countPages(pool, () => read(viewerOf('none')));
    expect(usual).toBeGreaterThan(0);
    for (const reason of REASONS) {
      const pages = await countPages(pool, () => read(viewerOf(reason)));
      expect(pages, reason).toBeLessThanOrEqual(1.5 * usual);
    }
  },
);
