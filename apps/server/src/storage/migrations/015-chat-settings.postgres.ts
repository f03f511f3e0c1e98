import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 015-chat-settings does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members
    add column is_pinned bigint not null default 0
      constraint chatroom_members_is_pinned check (is_pinned in (0, 1)),
    add column archived_seq bigint,
    add column muted_until bigint,
    add column is_marked_unread bigint not null default 0
      constraint chatroom_members_is_marked_unread check (is_marked_unread in (0, 1)),
    add column settings_version bigint not null default 0`,
];

export const postgresChatSettings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
