import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // The version of the rules an image was last inspected with; 0 if it is older than this migration.
  `alter table media add column inspected_rules integer not null default 0`,
  // 1 for an image that older rules accepted and that is no longer shown.
  `alter table media add column is_blocked integer not null default 0 check (is_blocked in (0, 1))`,
  `create index media_inspected on media (kind, inspected_rules, id)`,
  // An inspection can make a file smaller.
  `create trigger media_resized after update of size on media begin
    update media_usage set bytes = bytes + new.size - old.size;
  end`,
];

export const pictureInspection: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
