import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../migrations/index.ts';
import { openWritable } from './sqlite-connection.ts';
import { migrate } from './migrate.ts';

type Row = Record<string, string | number | null>;

let folder: string;
let sqlite: SQLite.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  sqlite = openWritable(join(folder, 'parley.db'));
});
afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A text that copying might corrupt. */
const UNUSUAL_TEXT = `"quoted" 'twice' ;-- \\ %_ \u0000 \r\n\t 👩‍👩‍👧 é e\u0301 \u202E ﷽ ${'x'.repeat(10_000)}`;

const users: Row[] = ['u1', 'u2', 'u3'].map((id, i) => ({
  id,
  username: i === 0 ? UNUSUAL_TEXT : `Name ${id}`,
  username_key: i === 0 ? UNUSUAL_TEXT.toLowerCase() : id,
  email: `${id}@example.org`,
  password_hash: i === 2 ? '' : '$argon2id$v=19$m=19456,p=1,t=2$salt$hash',
  language: i === 0 ? 'de' : 'en',
  volume: ['silent', 'middle', 'full'][i] ?? 'full',
  verified_at: Number.MAX_SAFE_INTEGER,
  created_at: i === 0 ? -1 : 0,
}));

const media: Row[] = ['f1', 'f2', 'f3'].map((id, i) => ({
  id,
  owner_id: i === 2 ? 'u2' : 'u1',
  kind: i === 1 ? 'audio' : 'image',
  mime: i === 1 ? 'audio/webm' : 'image/svg+xml',
  size: [0, 1, 2 ** 40][i] ?? 0,
  file: `${id}.png`,
  width: i === 1 ? null : 4_000,
  height: i === 1 ? null : 1,
  created_at: i,
}));

/** Messages of each kind: edited, deleted, of a deleted account, with and without a client id. */
const messages: Row[] = [
  { kind: 'text', content: UNUSUAL_TEXT, sender_id: 'u1', client_id: 'c1', rev: 5, updated_at: 9 },
  { kind: 'image', content: '', sender_id: 'u1', media_id: 'f1' },
  { kind: 'audio', content: '', sender_id: 'u1', media_id: 'f2', client_id: 'c2' },
  { kind: 'text', content: '', sender_id: null, deleted_at: 4 },
  { kind: 'text', content: ' ', sender_id: 'u2', client_id: 'c1', rev: 6 },
].map((message, i) =>
  Object.assign(
    {
      id: `m${i}`,
      chatroom_id: 'r1',
      seq: i + 1,
      rev: i + 1,
      media_id: null,
      client_id: null,
      created_at: 1,
      updated_at: 1,
      deleted_at: null,
    },
    message,
  ),
);

/** Rows for each table of the first released schema. */
const FIRST: Record<string, Row[]> = {
  users,
  account_keys: [
    { user_id: 'u2', purpose: 'reset', hash: 'h', expires_at: 1, tries_left: 0 },
    { user_id: 'u1', purpose: 'reset', hash: UNUSUAL_TEXT, expires_at: 2, tries_left: 5 },
  ],
  sessions: ['s1', 's2'].map((id) => ({
    id,
    token_hash: `hash of ${id}`,
    user_id: 'u1',
    device: id === 's1' ? UNUSUAL_TEXT : '',
    created_at: 1,
    last_seen_at: 2,
    expires_at: Number.MAX_SAFE_INTEGER,
  })),
  chatrooms: [
    { id: 'r1', pair_key: 'u1:u2', last_seq: 5, last_rev: 6, created_at: 1 },
    { id: 'r2', pair_key: 'u1:u3', last_seq: 0, last_rev: 0, created_at: 2 },
  ],
  chatroom_members: [
    { chatroom_id: 'r1', user_id: 'u1', read_seq: 5 },
    { chatroom_id: 'r1', user_id: 'u2', read_seq: 0 },
    { chatroom_id: 'r2', user_id: 'u1', read_seq: 0 },
  ],
  media,
  messages,
  outgoing_mails: [
    { id: 'o1', user_id: 'u3', purpose: 'verify', key: '123456', attempts: 3 },
    { id: 'o2', user_id: 'u1', purpose: 'password-changed', key: null, attempts: 0 },
  ].map((mail) => Object.assign(mail, { next_attempt_at: 1, expires_at: 2, created_at: 0 })),
  secrets: [
    { name: 'session', value: 'ab'.repeat(32) },
    { name: UNUSUAL_TEXT, value: '' },
  ],
};

/** Rows for each table that the second released schema added. */
const SECOND: Record<string, Row[]> = {
  ...FIRST,
  invitations: ['i1', 'i2'].map((id, i) => ({
    id,
    code_hash: `code ${id}`,
    note: i === 0 ? UNUSUAL_TEXT : '',
    uses_left: i,
    created_at: 1,
    expires_at: 2,
  })),
  outside_events: [
    { id: 7, event: '{"type":"mail-queued"}' },
    { id: 8, event: UNUSUAL_TEXT },
  ],
  message_counts: [
    { user_id: 'u1', day: 20_000, sent: 12 },
    { user_id: 'u2', day: 0, sent: 0 },
  ],
  // Maintained by triggers.
  media_usage: [{ id: 1, files: 3, bytes: 1 + 2 ** 40 }],
  heartbeat: [{ id: 1, at: 5 }],
};

/** Adds columns to rows. */
function extended(rows: readonly Row[] = [], columns: Row): Row[] {
  return rows.map((row) => Object.assign({}, row, columns));
}

/** Rows for each table of the schema before consent. */
const NINTH: Record<string, Row[]> = {
  ...kept(SECOND),
  users: users.map((row, i) => Object.assign({}, row, { ended_at: i === 2 ? 9 : null })),
  media: extended(media, { inspected_rules: 0, is_blocked: 0, duration_ms: 1, peaks: null }),
  username_skeletons: [{ skeleton: UNUSUAL_TEXT, user_id: 'u1', version: '17.0.0' }],
  ended_sessions: [{ token_hash: 'h', reason: 'revoked', ended_at: 3 }],
  erasures: [{ id: 1, kind: 'free-pages', subject: '' }],
};

const RELEASED = { '001-initial': FIRST, '002-operation': SECOND, '009-ended-sessions': NINTH };

/** Returns the rows that an upgrade keeps. Events of older commands are discarded. */
function kept(rows: Record<string, Row[]>): Record<string, Row[]> {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => table !== 'outside_events'));
}

function migrationsUpTo(last: string) {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
}

/** Returns the tables of the database without Kysely's own. */
function tables(): string[] {
  return sqlite
    .prepare<[], string>(
      `select name from sqlite_master
       where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' order by name`,
    )
    .pluck()
    .all();
}

function fill(rows: Record<string, Row[]>): void {
  // The tables are not sorted by their references.
  sqlite.pragma('foreign_keys = OFF');
  for (const [table, all] of Object.entries(rows)) {
    if (table === 'media_usage') continue;
    for (const row of all) {
      const columns = Object.keys(row);
      const values = columns.map((column) => `@${column}`);
      sqlite.prepare(`insert into ${table} (${columns.join()}) values (${values.join()})`).run(row);
    }
  }
  sqlite.pragma('foreign_keys = ON');
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
}

/** Returns the given columns of all rows of a table, in a stable order. */
function read(table: string, columns: readonly string[]): unknown[] {
  return sqlite
    .prepare(`select ${columns.join()} from ${table}`)
    .all()
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function expectRows(expected: Record<string, Row[]>): void {
  for (const [table, rows] of Object.entries(expected)) {
    const columns = rows[0] === undefined ? ['*'] : Object.keys(rows[0]);
    const sorted = rows
      .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(read(table, columns), table).toEqual(sorted);
  }
}

/** Returns every column of a table. */
function columnsOf(table: string): string[] {
  return (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
}

test.each(Object.entries(RELEASED))(
  'keeps every row and column in an upgrade from the released schema %s',
  async (released, rows) => {
    await migrate(sqlite, migrationsUpTo(released));
    fill(rows);
    expect(Object.keys(rows).toSorted()).toEqual(tables());
    for (const [table, [row]] of Object.entries(rows)) {
      expect(Object.keys(row ?? {}).toSorted(), table).toEqual(columnsOf(table).toSorted());
    }
    expectRows(rows);

    const steps = await migrate(sqlite, migrations);

    expect(steps).toEqual(Object.keys(migrations).filter((name) => name > released));
    expectRows(kept(rows));
    expect(tables()).not.toContain('outside_events');
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    // Values that later schemas derive from the rows.
    expectRows({ media_usage: [{ id: 1, files: 3, bytes: 1 + 2 ** 40 }] });
    const settings = {
      who_may_write: 'everyone',
      is_discoverable: 1,
      suspended_at: null,
      shares_receipts: 1,
      shares_typing: 1,
      shares_presence: 1,
      last_seen_at: null,
    };
    const { users: before, chatroom_members, messages: sent, invitations } = rows;
    expectRows({
      media: extended(media, { inspected_rules: 0, is_blocked: 0 }),
      users: extended(before, {
        ...(released !== '009-ended-sessions' && { ended_at: null }),
        ...settings,
      }),
      chatroom_members: extended(chatroom_members, {
        consent: 'accepted',
        blocked_at: null,
        cleared_seq: 0,
        block_start_seq: 0,
        block_end_seq: 0,
        delivered_seq: 0,
        seen_seq: 0,
      }),
      messages: extended(sent, { withheld: 0 }),
      ...(invitations !== undefined && {
        invitations: extended(invitations, { inviter_id: null }),
      }),
    });
    expect(await migrate(sqlite, migrations)).toEqual([]);
    expect(read('erasures', ['kind', 'subject'])).toEqual([{ kind: 'free-pages', subject: '' }]);
  },
);

/** Rebuilds `users` as SQLite's manual describes, with named constraints. */
const rebuildUsers: Migration = {
  async up(db) {
    for (const statement of [
      `create table new_users (
        id text primary key,
        username text not null,
        username_key text not null constraint users_username_key unique,
        email text not null constraint users_email unique,
        password_hash text not null,
        language text not null constraint users_language check (length(language) >= 2),
        volume text not null constraint users_volume check (volume in ('silent', 'middle', 'full')),
        verified_at integer,
        created_at integer not null,
        ended_at integer
      ) strict, without rowid`,
      `insert into new_users
       select id, username, username_key, email, password_hash, language, volume, verified_at,
              created_at, ended_at from users`,
      `drop table users`,
      `alter table new_users rename to users`,
    ]) {
      await sql.raw(statement).execute(db);
    }
  },
};

test('rebuilds users in a migration without losing a row of any table', async () => {
  await migrate(sqlite, migrationsUpTo('002-operation'));
  fill(SECOND);

  await migrate(sqlite, { ...migrations, '900-rebuild-users': rebuildUsers });

  expectRows(kept(SECOND));
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  // The new constraints apply, and references point to the new table.
  expect(() => sqlite.exec(`update users set language = 'x'`)).toThrow('users_language');
  expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
  sqlite.exec(`delete from users where id = 'u1'`);
  expect(sqlite.prepare('select count(*) from sessions').pluck().get()).toBe(0);
});

test('allows any language of users from schema 007 on and keeps the other constraints', async () => {
  await migrate(sqlite, migrationsUpTo('006-look-alikes'));
  fill(SECOND);
  const set = (column: string, value: string) => () =>
    sqlite.prepare(`update users set ${column} = ? where id = 'u2'`).run(value);
  expect(set('language', 'qps')).toThrow('CHECK');

  await migrate(sqlite, migrations);

  expectRows(kept(SECOND));
  set('language', 'qps')();
  expect(set('language', '')).toThrow('users_language');
  expect(set('volume', 'loud')).toThrow('users_volume');
  expect(set('username_key', 'u3')).toThrow('UNIQUE');
  expect(set('email', 'u3@example.org')).toThrow('UNIQUE');
  // Deleting a user still cascades to the tables that reference it.
  sqlite.exec(`delete from users where id = 'u1'`);
  expect(sqlite.prepare('select count(*) from sessions').pluck().get()).toBe(0);
});

test('rolls back a migration that leaves a broken reference', async () => {
  await migrate(sqlite, migrations);
  fill(kept(SECOND));
  const before = sqlite.prepare('select name, sql from sqlite_master').all();
  const careless: Migration = {
    async up(db) {
      await rebuildUsers.up(db);
      await sql`delete from users where id = 'u2'`.execute(db);
    },
  };

  await expect(migrate(sqlite, { ...migrations, '900-careless': careless })).rejects.toThrow(
    /could not be upgraded \(migration 900-careless\): a row of \w+ refers to a row of users that does not exist/,
  );

  expectRows(kept(SECOND));
  expect(sqlite.prepare('select name, sql from sqlite_master').all()).toEqual(before);
  expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
});

test('turns unverified accounts into registrations with their keys and mails', async () => {
  await migrate(sqlite, migrationsUpTo('019-former-receipts'));
  fill({
    users: ['u1', 'u2', 'u3', 'u4'].map((id, i) => ({
      id,
      username: `Name ${i}`,
      username_key: `name ${i}`,
      email: `${id}@example.org`,
      password_hash: `hash ${i}`,
      language: 'de',
      volume: 'full',
      verified_at: i === 0 ? 7 : null,
      created_at: i,
      ended_at: i === 3 ? 9 : null,
    })),
    account_keys: [
      { user_id: 'u1', purpose: 'reset', hash: 'r', expires_at: 1, tries_left: 2 },
      { user_id: 'u2', purpose: 'verify', hash: 'v', expires_at: 3, tries_left: 4 },
      { user_id: 'u2', purpose: 'reset', hash: 'r', expires_at: 5, tries_left: 5 },
    ],
    username_skeletons: [
      { skeleton: 'narne', user_id: 'u2', version: '17.0.0' },
      { skeleton: 'narrne', user_id: 'u2', version: '17.0.0' },
    ],
    introductions: [{ user_id: 'u2', inviter_id: 'u1' }],
    outgoing_mails: [
      { id: 'o1', user_id: 'u1', purpose: 'reset', key: 'a', attempts: 0 },
      { id: 'o2', user_id: 'u2', purpose: 'verify', key: 'b', attempts: 1 },
      { id: 'o3', user_id: 'u2', purpose: 'reset', key: 'c', attempts: 0 },
    ].map((mail) => Object.assign(mail, { next_attempt_at: 1, expires_at: 2, created_at: 3 })),
  });

  expect(await migrate(sqlite, migrations)).toContain('020-registrations-breaking');

  const registration = { password_hash: 'hash 1', language: 'de', created_at: 1 };
  expectRows({
    registrations: [
      {
        id: 'u2',
        email: 'u2@example.org',
        username: 'Name 1',
        skeleton: 'narne',
        folded_skeleton: 'narrne',
        inviter_id: 'u1',
        key_hash: 'v',
        key_expires_at: 3,
        tries_left: 4,
        ...registration,
      },
      {
        id: 'u3',
        email: 'u3@example.org',
        username: 'Name 2',
        skeleton: 'name 2',
        folded_skeleton: 'name 2',
        inviter_id: null,
        key_hash: '',
        key_expires_at: 0,
        tries_left: 0,
        ...registration,
        password_hash: 'hash 2',
        created_at: 2,
      },
    ],
    users: [
      { id: 'u1', verified_at: 7 },
      { id: 'u4', verified_at: null },
    ],
    account_keys: [{ user_id: 'u1', purpose: 'reset', hash: 'r' }],
    username_skeletons: [],
    outgoing_mails: [
      { id: 'o1', user_id: 'u1', registration_id: null, key: 'a', attempts: 0 },
      { id: 'o2', user_id: null, registration_id: 'u2', key: 'b', attempts: 1 },
    ],
  });
  expect(tables()).not.toContain('introductions');
});

test('gives email addresses one form, and keeps accounts whose address another one has', async () => {
  await migrate(sqlite, migrationsUpTo('020-registrations-breaking'));
  const emails = [
    'a@bücher.example',
    'b@example.org',
    'a@xn--bcher-kva.example',
    'u\u0308@ü.de',
    'b@example.org.',
    'j\u030c@example.org',
    'a@bücher.example.',
    'c@EXAMPLE.example.',
  ];
  fill({
    registrations: ['a@bücher.example', 'ü@Ü.de.'].map((email, i) => ({
      id: `r${i}`,
      email,
      username: `Name r${i}`,
      skeleton: '',
      folded_skeleton: '',
      password_hash: '',
      language: 'de',
      inviter_id: null,
      key_hash: '',
      key_expires_at: 0,
      tries_left: 0,
      created_at: i,
    })),
    users: emails.map((email, i) => ({
      id: `u${i}`,
      username: `Name ${i}`,
      username_key: `name ${i}`,
      email,
      password_hash: '',
      language: 'de',
      volume: 'full',
      verified_at: 1,
      created_at: i,
    })),
  });
  await migrate(sqlite, migrations);
  expectRows({
    email_clashes: [
      { user_id: 'u0', email: 'a@xn--bcher-kva.example' },
      { user_id: 'u4', email: 'b@example.org' },
      { user_id: 'u6', email: 'a@xn--bcher-kva.example' },
    ],
    registrations: [
      { id: 'r0', email: 'a@xn--bcher-kva.example' },
      { id: 'r1', email: 'ü@xn--tda.de' },
    ],
    users: [
      // The form is taken by another account.
      { id: 'u0', email: 'a@bücher.example' },
      { id: 'u1', email: 'b@example.org' },
      { id: 'u2', email: 'a@xn--bcher-kva.example' },
      { id: 'u3', email: 'ü@xn--tda.de' },
      { id: 'u4', email: 'b@example.org.' },
      { id: 'u5', email: 'ǰ@example.org' },
      { id: 'u6', email: 'a@xn--bcher-kva.example.' },
      { id: 'u7', email: 'c@example.example' },
    ],
  });
});
