import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: no import from the application, no change. A further step is a new file.
const STATEMENTS = [
  // What names look like. The server fills it for existing accounts when it starts, and again when its
  // Unicode data is newer; old names may look alike, so it is not unique.
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
