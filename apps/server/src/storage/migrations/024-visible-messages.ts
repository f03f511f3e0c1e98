import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead. Both
// engines use it.
const STATEMENTS = [
  // What a member sees of a chatroom is at most three ranges of the first index, without a row that the member does
  // not see. The second one finds the newest message of a sender even if it is deleted.
  `create index messages_visible on messages (chatroom_id, sender_id, withheld, seq)
    where deleted_at is null`,
  `create index messages_deleted on messages (chatroom_id, sender_id, withheld, seq)
    where deleted_at is not null`,
  `drop index messages_seq`,
  // Finds messages by their position. No engine prefers it for a range of a chatroom, in which it would read all.
  `create index messages_seq on messages (seq, chatroom_id)`,
];

export const visibleMessageIndexes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
