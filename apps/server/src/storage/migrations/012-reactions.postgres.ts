import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 012-reactions does on SQLite, on PostgreSQL.

// Erased rows must not stay in the pages of the table.
const VACUUM_SOON = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0`;

const STATEMENTS = [
  `create table reactions (
    message_id text collate "C" not null references messages (id) on delete cascade,
    user_id text collate "C" not null references users (id) on delete cascade,
    emoji text collate "C" not null
      constraint reactions_emoji check (length(emoji) between 1 and 64),
    created_at bigint not null,
    withheld bigint not null constraint reactions_withheld check (withheld in (0, 1)),
    primary key (message_id, user_id, emoji)
  ) with (${VACUUM_SOON})`,
  `create index reactions_user on reactions (user_id)`,

  `alter table chatroom_members
    add column reaction_message_id text collate "C",
    add column reaction_emoji text collate "C",
    add column reaction_at bigint,
    add column reaction_seq bigint`,
];

export const postgresReactions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
