import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { unifyEmails } from './027-email-clashes.ts';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 027-email-clashes does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `create table email_clashes (
    user_id text collate "C" primary key references users (id) on delete cascade,
    email text collate "C" not null
  )`,
  `create index email_clashes_email on email_clashes (email)`,
];

export const postgresEmailClashes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await unifyEmails(db);
  },
};
