import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: no import from the application, no change. A further step is a new file.
export const noOutsideEvents: Migration = {
  async up(db: Kysely<unknown>) {
    // Commands now talk to the running server. What an older one left for a server that did not run
    // concerns connections and caches of that server only; the queues of mails and erasures are
    // tables of their own.
    await sql`drop table outside_events`.execute(db);
  },
};
