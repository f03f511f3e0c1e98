import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `create table exports (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    chatroom_id text references chatrooms (id) on delete cascade,
    language text not null,
    time_zone text not null,
    status text not null
      constraint exports_status check (status in ('waiting', 'running', 'ready', 'failed')),
    failure text constraint exports_failure check (failure in ('storage_full', 'internal')),
    attempts integer not null,
    done integer not null,
    total integer not null,
    file text,
    size integer,
    created_at integer not null,
    finished_at integer
  ) strict, without rowid`,
  `create index exports_user_id on exports (user_id)`,
  // A user has one at a time that is not finished.
  `create unique index exports_unfinished on exports (user_id) where status in ('waiting', 'running')`,
  `create index exports_chatroom_id on exports (chatroom_id)`,
];

export const dataExports: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
