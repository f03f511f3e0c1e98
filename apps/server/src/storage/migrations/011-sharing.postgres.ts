import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 011-sharing does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members
    add column delivered_seq bigint not null default 0,
    add column seen_seq bigint not null default 0`,
  `alter table users
    add column shares_receipts bigint not null default 1
      constraint users_shares_receipts check (shares_receipts in (0, 1)),
    add column shares_typing bigint not null default 1
      constraint users_shares_typing check (shares_typing in (0, 1)),
    add column shares_presence bigint not null default 1
      constraint users_shares_presence check (shares_presence in (0, 1)),
    add column last_seen_at bigint`,
];

export const postgresSharing: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
