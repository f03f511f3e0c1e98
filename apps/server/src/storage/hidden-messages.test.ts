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
import { countUnread, findNews } from '../notifications/unread.repository.ts';
import { databaseFile } from './open.ts';
import { createPool, PostgresConnection } from './postgres/postgres-connection.ts';
import { SqliteConnection } from './sqlite/sqlite-connection.ts';

/** Number of messages in a chatroom that the user does not see. */
const HIDDEN = 20_000;

/** Why a user does not see messages of a chatroom. */
const REASONS = ['none', 'deleted', 'own-deleted', 'withheld', 'cleared', 'ended'] as const;
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
  const sender = reason === 'own-deleted' ? user : partner;
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
      })
      .where('chatroom_id', '=', id)
      .where('user_id', '=', user.id)
      .execute();
    if (reason !== 'ended') return;
    await trx.updateTable('users').set({ ended_at: 3 }).where('id', '=', partner.id).execute();
  });
  return { id, partner, lastSeq };
}

/** Requests everything that reads the messages of a chatroom, and returns what it shows. */
async function readAll(reason: Reason) {
  const user = users.get(reason) ?? expect.fail();
  const { id, lastSeq } = rooms.get(reason) ?? expect.fail();
  const { storage } = server.ctx;
  const seqs = async (page: string) =>
    (await readChatroom(user, id, page)).chatroomMessages.map(({ seq }) => seq);
  const [chat] = await openChatList(user);
  const read = await user.request('POST', `/api/chatrooms/chats/${id}/mark-as-read`, { seq: 1 });
  const { rooms: changed } = await changesSince(user, { [id]: lastSeq });
  return {
    newest: chat?.lastMessage?.seq,
    isArchived: chat?.settings?.isArchived ?? false,
    unread: [
      chat?.unreadMessagesCount,
      read.body.chat.unreadMessagesCount,
      changed[0]?.chat.unreadMessagesCount,
      await storage.read((db) => countUnread(db, user.id, Date.now())),
    ],
    pages: [await seqs(''), await seqs('?after=0'), await seqs('?around=2')],
    isLast: await seqs('?after=2'),
    news: await storage.read((db) => findNews(db, { userId: user.id, chatroomId: id, since: 1 })),
    hasLater: [
      await storage.read((db) => hasMessageAfter(db, id, user.id, 1)),
      await storage.read((db) => hasMessageAfter(db, id, user.id, 2)),
    ],
  };
}

test.each(REASONS)('shows and counts no message that is hidden: %s', async (reason) => {
  const seesPartner = reason !== 'cleared' && reason !== 'ended';
  const page = seesPartner ? [1, 2] : [1];
  const unread = seesPartner ? 1 : 0;
  expect(await readAll(reason)).toEqual({
    newest: page.length,
    // The partner's message takes it out of the archive.
    isArchived: !seesPartner,
    unread: [unread, unread, unread, unread],
    pages: [page, page, page],
    isLast: [],
    news: seesPartner ? { seq: 2, kind: 'text', content: 'Hi', unread: 1, earlier: 0 } : undefined,
    hasLater: [seesPartner, false],
  });
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

test.skipIf(IS_ON_POSTGRES)('reads ranges of an index that contain no hidden message', async () => {
  const user = users.get('deleted') ?? expect.fail();
  const { id: chatroomId, partner } = rooms.get('deleted') ?? expect.fail();
  const queries = await recordQueries(async () => {
    await readAll('deleted');
    await search(user, { chatroomId, kind: 'image' });
    const [db, viewer] = [server.ctx.storage, { chatroomId, userId: partner.id }];
    await db.read((reader) => findSentMessages(reader, { ...viewer, afterSeq: 0, limit: 10 }));
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
});

/** The root of the plan of a query that was executed. */
interface PlanRoot {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

test.runIf(IS_ON_POSTGRES).each(['force_custom_plan', 'force_generic_plan'])(
  'reads hardly more pages of the database with hidden messages than without: %s',
  async (mode) => {
    const pool = createPool(server.ctx.config.databaseUrl ?? '', 1, {
      options: `-c plan_cache_mode=${mode}`,
    });
    onTestFinished(() => pool.end());
    const counts = new Map<Reason, number>();
    for (const reason of REASONS) {
      let pages = 0;
      for (const { sql: text, parameters } of await recordQueries(() => readAll(reason))) {
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
      counts.set(reason, pages);
    }
    const usual = counts.get('none') ?? 0;
    expect(usual).toBeGreaterThan(10);
    for (const [reason, pages] of counts) expect(pages, reason).toBeLessThan(1.5 * usual);
  },
);
