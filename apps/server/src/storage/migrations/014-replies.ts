import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
export const replies: Migration = {
  async up(db: Kysely<unknown>) {
    // Not a foreign key: rows of a chatroom are deleted in batches, which would need another index.
    await sql.raw(`alter table messages add column reply_to_id text`).execute(db);
  },
};
