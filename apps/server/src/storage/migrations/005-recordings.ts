import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // In milliseconds; 0 if it could not be determined, null if it has not been measured yet.
  `alter table media add column duration_ms integer check (duration_ms >= 0)`,
  // The waveform, one byte per bar, 0 to 100.
  `alter table media add column peaks blob`,
  `create index media_unmeasured on media (id) where kind = 'audio' and duration_ms is null`,
];

export const recordings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
