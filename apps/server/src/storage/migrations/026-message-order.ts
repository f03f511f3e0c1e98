import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Set only for messages that were sent after the clock had been put back.
  `alter table messages add column active_at integer`,
  `create index messages_active on messages (active_at) where active_at is not null`,
];

export const messageOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
