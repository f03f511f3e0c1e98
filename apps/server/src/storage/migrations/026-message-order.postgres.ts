import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 026-message-order does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table messages add column active_at bigint`,
  `create index messages_active on messages (active_at) where active_at is not null`,
];

export const postgresMessageOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
