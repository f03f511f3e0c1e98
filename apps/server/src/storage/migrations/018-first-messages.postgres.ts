import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 018-first-messages does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members
    add column is_quiet bigint not null default 1
      constraint chatroom_members_is_quiet check (is_quiet in (0, 1))`,
  `alter table users
    drop constraint users_who_may_write,
    add constraint users_who_may_write
      check (who_may_write in ('everyone', 'requests', 'invited', 'nobody'))`,
];

export const postgresFirstMessages: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
