import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 019-former-receipts does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members
    add column former_delivered_seq bigint not null default 0,
    add column former_seen_seq bigint not null default 0`,
];

export const postgresFormerReceipts: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
