import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // What a partner had told the member before the partner's membership was erased.
  `alter table chatroom_members add column former_delivered_seq integer not null default 0`,
  `alter table chatroom_members add column former_seen_seq integer not null default 0`,
];

export const formerReceipts: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
