import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead. Both
// engines use it. Breaking, because servers of earlier versions would change memberships without a new revision.
export const memberRevision: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table chatroom_members rename column settings_version to member_rev`.execute(
      db,
    );
  },
};
