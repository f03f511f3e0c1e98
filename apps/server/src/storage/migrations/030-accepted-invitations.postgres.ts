import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 030-accepted-invitations does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members add column invitation_accepted_at bigint`,
  `alter table push_queue drop constraint push_queue_kind,
    add constraint push_queue_kind check (kind in ('message', 'reaction', 'invitation'))`,
];

export const postgresAcceptedInvitations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
