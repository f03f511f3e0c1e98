import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // What the partner is told about the member's devices and reading. Starts at 0: nothing from before the
  // upgrade is told.
  `alter table chatroom_members add column delivered_seq integer not null default 0`,
  `alter table chatroom_members add column seen_seq integer not null default 0`,

  `alter table users add column shares_receipts integer not null default 1
    constraint users_shares_receipts check (shares_receipts in (0, 1))`,
  `alter table users add column shares_typing integer not null default 1
    constraint users_shares_typing check (shares_typing in (0, 1))`,
  `alter table users add column shares_presence integer not null default 1
    constraint users_shares_presence check (shares_presence in (0, 1))`,
  // Full minutes in UTC milliseconds.
  `alter table users add column last_seen_at integer`,
];

export const sharing: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
