import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import type pg from 'pg';
import { describe, test, type TestContext } from 'vitest';
import { beginChat, readChatroom, send } from '../../../test/chatting.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { startPostgresProxy } from '../../../test/postgres-proxy.ts';
import { IS_ON_POSTGRES } from '../../../test/server-group.ts';
import { createDatabase, runOn } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { postgresBaseline } from '../migrations/postgres-baseline.ts';
import type { Migrations } from '../schema.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPool } from './postgres-connection.ts';

const cluster = process.env['PARLEY_TEST_CLUSTER'] ?? '';

/** The migrations of a newer version. */
function newerMigrations(name: string, ...statements: string[]): Migrations {
  const migration = {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
  return { ...postgresMigrations, [name]: migration };
}

const ADD_COLUMNS = newerMigrations(
  '999-more',
  ...['users', 'sessions', 'messages', 'chatrooms', 'media'].map(
    (table) => `alter table ${table} add column more text`,
  ),
);

/** A database of its own that a test upgrades. */
interface Upgradable {
  url: string;
  other: pg.Pool;
  log: string[];
  upgrade: (migrations: Migrations) => Promise<void>;
  start: () => Promise<TestServer>;
}

async function createUpgradable(
  { onTestFinished }: TestContext,
  template?: string,
): Promise<Upgradable> {
  const url = await createDatabase(cluster, template);
  onTestFinished(() =>
    runOn(cluster, `drop database ${new URL(url).pathname.slice(1)} with (force)`),
  );
  const other = createPool(url, 1, { idle_in_transaction_session_timeout: 0 });
  onTestFinished(() => other.end());
  const log: string[] = [];
  const logger = pino({}, { write: (line: string) => void log.push(line) });
  return {
    url,
    other,
    log,
    upgrade: (migrations) => migratePostgres(url, migrations, logger),
    start: async () => {
      const server = await startServer({ PARLEY_DATABASE_URL: url });
      onTestFinished(() => server.close());
      return server;
    },
  };
}

// Most of the time, they wait.
describe.skipIf(!IS_ON_POSTGRES).concurrent('a database that is upgraded', () => {
  test('existing chats, users and invitations get the defaults of new columns', async (context) => {
    const { expect } = context;
    const { url, other, upgrade } = await createUpgradable(context, 'template1');
    await upgrade({ '009-ended-sessions': postgresBaseline });
    await runOn(
      url,
      `insert into users select id, id, id, id, '', 'de', 'full', 1, 1 from unnest('{u1,u2}'::text[]) as id;
      insert into chatrooms (id, pair_key, last_seq, last_rev, created_at) values ('r1', 'u1:u2', 1, 1, 1);
      insert into chatroom_members (chatroom_id, user_id) values ('r1', 'u1'), ('r1', 'u2');
      insert into messages (id, chatroom_id, seq, rev, sender_id, kind, content, created_at, updated_at)
        values ('m1', 'r1', 1, 1, 'u1', 'text', 'hello', 1, 1);
      insert into invitations (id, code_hash, note, uses_left, created_at, expires_at)
        values ('i1', 'hash', '', 1, 1, 1)`,
    );
    await upgrade(postgresMigrations);
    // Finds nothing to do.
    await upgrade(postgresMigrations);
    const select = async (columns: string, table: string) =>
      (await other.query<Record<string, unknown>>(`select ${columns} from ${table}`)).rows;
    const user = {
      who_may_write: 'everyone',
      is_discoverable: 1,
      suspended_at: null,
      shares_receipts: 1,
      shares_typing: 1,
      shares_presence: 1,
      last_seen_at: null,
    };
    expect(await select(Object.keys(user).join(), 'users')).toEqual([user, user]);
    const member = {
      read_seq: 0,
      consent: 'accepted',
      blocked_at: null,
      cleared_seq: 0,
      block_start_seq: 0,
      block_end_seq: 0,
      delivered_seq: 0,
      seen_seq: 0,
    };
    expect(await select(Object.keys(member).join(), 'chatroom_members')).toEqual([member, member]);
    expect(await select('content, withheld', 'messages')).toEqual([
      { content: 'hello', withheld: 0 },
    ]);
    expect(await select('code_hash, inviter_id', 'invitations')).toEqual([
      { code_hash: 'hash', inviter_id: null },
    ]);
  });

  test('unverified accounts become registrations with their keys and mails, and addresses get one form', async (context) => {
    const { expect } = context;
    const { url, other, upgrade } = await createUpgradable(context, 'template1');
    const before = Object.entries(postgresMigrations).filter(([name]) => name < '020');
    await upgrade(Object.fromEntries(before));
    await runOn(
      url,
      `insert into users (id, username, username_key, email, password_hash, language, volume, verified_at, created_at)
        values ('u1', 'One', 'one', 'u1@example.org', '', 'de', 'full', 1, 1),
          ('u2', 'Two', 'two', 'u2@bücher.example', 'hash', 'de', 'full', null, 2),
          ('u3', 'Three', 'three', 'u1@example.org.', '', 'de', 'full', 1, 3),
          ('u4', 'Four', 'four', 'u4@bücher.example.', '', 'de', 'full', 1, 4);
      insert into account_keys values ('u2', 'verify', 'v', 3, 4), ('u2', 'reset', 'r', 3, 4);
      insert into username_skeletons values ('tvvo', 'u2', '17.0.0');
      insert into introductions values ('u2', 'u1');
      insert into outgoing_mails select 'm' || purpose, 'u2', purpose, 'key', 0, 1, 2, 3
        from unnest('{verify,reset}'::text[]) as purpose`,
    );
    await upgrade(postgresMigrations);
    const select = async (query: string) =>
      (await other.query<Record<string, unknown>>(query)).rows;
    expect(await select('select * from registrations')).toEqual([
      {
        id: 'u2',
        email: 'u2@xn--bcher-kva.example',
        username: 'Two',
        skeleton: 'tvvo',
        folded_skeleton: 'tvvo',
        password_hash: 'hash',
        language: 'de',
        inviter_id: 'u1',
        key_hash: 'v',
        key_expires_at: 3,
        tries_left: 4,
        created_at: 2,
      },
    ]);
    expect(await select('select id, email from users order by id')).toEqual([
      { id: 'u1', email: 'u1@example.org' },
      // The form is taken by another account.
      { id: 'u3', email: 'u1@example.org.' },
      { id: 'u4', email: 'u4@xn--bcher-kva.example' },
    ]);
    expect(await select('select * from email_clashes')).toEqual([
      { user_id: 'u3', email: 'u1@example.org' },
    ]);
    expect(await select('select id, user_id, registration_id from outgoing_mails')).toEqual([
      { id: 'mverify', user_id: null, registration_id: 'u2' },
    ]);
  });

  test('a server of the previous version keeps working beside new columns', async (context) => {
    const { expect } = context;
    const { start, upgrade } = await createUpgradable(context);
    const server = await start();
    const users = [];
    for (let i = 0; i < 12; i += 1) users.push(await server.signIn(`user${i}`));
    const [ada, bob] = users;
    if (ada === undefined || bob === undefined) throw new Error('no users');
    const room = await beginChat(ada, bob);
    // Prepares its statements on all connections.
    await Promise.all(users.map((user) => user.request('GET', '/api/chatrooms/chats')));
    await Promise.all(users.map((_, i) => send(ada, room, `before ${i}`)));

    await upgrade(ADD_COLUMNS);
    // Sessions are read again.
    server.ctx.events.publish({ type: 'events-missed' });
    const lists = await Promise.all(
      users.map((user) => user.request('GET', '/api/chatrooms/chats')),
    );
    expect(lists.map(({ status }) => status)).toEqual(users.map(() => 200));
    await Promise.all(users.map((_, i) => send(ada, room, `after ${i}`)));
    expect((await readChatroom(bob, room, '?limit=100')).chatroomMessages).toHaveLength(25);
    expect((await server.client().request('GET', '/readyz')).status).toBe(200);
    await until(() => server.log.some((line) => line.includes('keeps working until')));
  });

  test('a server of the previous version refuses to work after a breaking upgrade', async (context) => {
    const { expect } = context;
    const { other, start, upgrade } = await createUpgradable(context);
    const server = await start();
    const ada = await server.signIn('ada');
    await upgrade(newerMigrations('999-names-breaking', 'drop table username_skeletons'));
    await until(async () => (await server.client().request('GET', '/readyz')).status === 503);
    expect(server.log.join('')).toContain('Restart this server with the newer version.');
    // Also with a session that was cached before.
    expect(await ada.request('GET', '/api/chatrooms/chats')).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
    // Another server can run the background jobs.
    const locks = `select 1 from pg_locks
      where locktype = 'advisory' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())`;
    await until(async () => (await other.query(locks)).rows.length === 0);
  });

  test('an upgrade lets queries proceed while it waits for a long transaction', async (context) => {
    const { expect } = context;
    const { url, other, log, upgrade } = await createUpgradable(context);
    const reader = await other.connect();
    await reader.query('begin');
    await reader.query('select from messages');
    const upgraded = upgrade(ADD_COLUMNS);
    await until(() => log.length > 0);
    expect(log[0]).toContain('waits for other transactions');
    // Waits at most for the lock timeout of the upgrade.
    await runOn(url, 'select from messages');
    await reader.query('commit');
    reader.release();
    await upgraded;
    expect(log[1]).toContain('upgraded the database schema');
  });

  test('a server does not start behind a pooler that loses notifications', async (context) => {
    const { expect, onTestFinished } = context;
    const { url } = await createUpgradable(context);
    const proxy = await startPostgresProxy(url);
    onTestFinished(() => proxy.close());
    proxy.loseNotifications();
    await expect(startServer({ PARLEY_DATABASE_URL: proxy.url })).rejects.toThrow(
      'Connections do not receive notifications. Connect to PostgreSQL directly',
    );
  });

  test('a server does not start on a database that cannot store all characters', async ({
    expect,
    onTestFinished,
  }) => {
    const latin = new URL('/parley_latin', cluster).href;
    await runOn(
      cluster,
      "create database parley_latin encoding latin1 locale 'C' locale_provider libc template template0",
    );
    onTestFinished(() => runOn(cluster, 'drop database parley_latin with (force)'));
    await expect(startServer({ PARLEY_DATABASE_URL: latin })).rejects.toThrow(
      'The encoding of the database is LATIN1',
    );
  });
});
