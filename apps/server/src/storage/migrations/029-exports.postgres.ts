import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 029-exports does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `create table exports (
    id text collate "C" primary key,
    user_id text collate "C" not null references users (id) on delete cascade,
    chatroom_id text collate "C" references chatrooms (id) on delete cascade,
    language text collate "C" not null,
    time_zone text collate "C" not null,
    status text collate "C" not null
      constraint exports_status check (status in ('waiting', 'running', 'ready', 'failed')),
    failure text collate "C" constraint exports_failure check (failure in ('storage_full', 'internal')),
    attempts bigint not null,
    done bigint not null,
    total bigint not null,
    file text collate "C",
    size bigint,
    created_at bigint not null,
    finished_at bigint
  )`,
  `create index exports_user_id on exports (user_id)`,
  // A user has one at a time that is not finished.
  `create unique index exports_unfinished on exports (user_id) where status in ('waiting', 'running')`,
  `create index exports_chatroom_id on exports (chatroom_id)`,
];

export const postgresDataExports: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
