import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 022-device-epoch does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table users add column device_epoch text collate "C" not null default ''`,
];

export const postgresDeviceEpoch: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
