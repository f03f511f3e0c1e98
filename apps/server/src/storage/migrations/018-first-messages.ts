import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // 1 for a chat that is a quiet request until the member accepts the partner. Existing requests stay quiet.
  `alter table chatroom_members add column is_quiet integer not null default 1
    constraint chatroom_members_is_quiet check (is_quiet in (0, 1))`,

  // A new choice, 'requests'. The constraint of a column cannot be changed.
  `alter table users rename column who_may_write to who_could_write`,
  `alter table users add column who_may_write text not null default 'everyone'
    constraint users_who_may_write check (who_may_write in ('everyone', 'requests', 'invited', 'nobody'))`,
  `update users set who_may_write = who_could_write`,
  `alter table users drop column who_could_write`,
];

export const firstMessages: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
