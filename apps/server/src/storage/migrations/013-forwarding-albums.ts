import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Chosen by the sender's client. Consecutive messages with the same id are displayed as one.
  `alter table messages add column album_id text`,
  `alter table messages add column is_forwarded integer not null default 0
    constraint messages_is_forwarded check (is_forwarded in (0, 1))`,
];

export const forwardingAlbums: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
