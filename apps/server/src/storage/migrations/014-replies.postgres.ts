import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 014-replies does on SQLite, on PostgreSQL.
export const postgresReplies: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table messages add column reply_to_id text collate "C"`).execute(db);
  },
};
