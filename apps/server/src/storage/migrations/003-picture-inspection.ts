import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: no import from the application, no change. A further step is a new file.
const STATEMENTS = [
  // The rules by which a picture was last inspected; 0 for all that are older than this step.
  `alter table media add column inspected_rules integer not null default 0`,
  // A picture that was accepted by older rules and is not shown any more.
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
