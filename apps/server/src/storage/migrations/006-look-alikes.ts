import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Skeletons (UTS #39) of usernames: names that look alike have the same skeleton. The server fills the
  // table at its start, and again after an update of its Unicode data. The skeleton is not unique, because
  // existing names may look alike.
  `create table username_skeletons (
    skeleton text not null,
    user_id text not null references users (id) on delete cascade,
    version text not null,
    primary key (skeleton, user_id)
  ) strict, without rowid`,
  `create index username_skeletons_user on username_skeletons (user_id, version)`,
];

export const lookAlikes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
