import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 032-deleted-chats does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `alter table chatroom_members
    add column own_cleared_seq bigint not null default 0,
    add column is_removed bigint not null default 0
      constraint chatroom_members_is_removed check (is_removed in (0, 1))`,
  `alter table users add column cleared_media_bytes bigint not null default 0`,
  `alter table erasures drop constraint erasures_kind,
    add constraint erasures_kind check (kind in ('account', 'chatroom', 'file', 'mails', 'free-pages'))`,
];

export const postgresDeletedChats: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
