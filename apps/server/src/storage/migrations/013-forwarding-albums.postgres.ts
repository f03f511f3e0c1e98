import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 013-forwarding-albums does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table messages
    add column album_id text collate "C",
    add column is_forwarded bigint not null default 0
      constraint messages_is_forwarded check (is_forwarded in (0, 1))`,
];

export const postgresForwardingAlbums: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
