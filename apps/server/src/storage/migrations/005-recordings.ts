import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: no import from the application, no change. A further step is a new file.
const STATEMENTS = [
  // Milliseconds; 0 where it could not be told, null where it has not been looked for.
  `alter table media add column duration_ms integer check (duration_ms >= 0)`,
  // One byte a bar of the waveform, 0 to 100.
  `alter table media add column peaks blob`,
  `create index media_unmeasured on media (id) where kind = 'audio' and duration_ms is null`,
];

export const recordings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
