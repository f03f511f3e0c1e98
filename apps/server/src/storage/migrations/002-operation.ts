import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `create table invitations (
    id text primary key,
    code_hash text not null unique,
    note text not null,
    uses_left integer not null check (uses_left >= 0),
    created_at integer not null,
    expires_at integer not null
  ) strict, without rowid`,

  // Events of operator commands, which the running server publishes to connected clients.
  `create table outside_events (
    id integer primary key,
    event text not null
  ) strict`,

  // Number of messages that an account sent on its latest active day, in days since 1970 (UTC).
  `create table message_counts (
    user_id text primary key references users (id) on delete cascade,
    day integer not null,
    sent integer not null
  ) strict, without rowid`,

  // Maintained by triggers, so that a quota check reads one row instead of all uploads.
  `create table media_usage (
    id integer primary key check (id = 1),
    files integer not null,
    bytes integer not null
  ) strict`,
  `insert into media_usage select 1, count(*), coalesce(sum(size), 0) from media`,
  `create trigger media_added after insert on media begin
    update media_usage set files = files + 1, bytes = bytes + new.size;
  end`,
  `create trigger media_removed after delete on media begin
    update media_usage set files = files - 1, bytes = bytes - old.size;
  end`,
  `drop index media_owner`,
  `create index media_owner on media (owner_id, size)`,

  // Written by the readiness check: a database that is read-only is not ready.
  `create table heartbeat (
    id integer primary key check (id = 1),
    at integer not null
  ) strict`,
];

export const operation: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
