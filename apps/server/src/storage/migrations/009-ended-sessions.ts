import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
export const endedSessions: Migration = {
  async up(db: Kysely<unknown>) {
    // Why a session was ended, for a browser that was closed at the time.
    await sql`create table ended_sessions (
      token_hash text primary key,
      reason text not null
        constraint ended_sessions_reason
        check (reason in ('revoked', 'password-changed', 'account-deleted')),
      ended_at integer not null
    ) strict, without rowid`.execute(db);
    await sql`create index ended_sessions_ended_at on ended_sessions (ended_at)`.execute(db);
  },
};
