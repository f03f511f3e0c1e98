import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `alter table chatroom_members add column is_pinned integer not null default 0
    constraint chatroom_members_is_pinned check (is_pinned in (0, 1))`,
  // Later messages of the partner take the chat out of the archive.
  `alter table chatroom_members add column archived_seq integer`,
  // UTC milliseconds.
  `alter table chatroom_members add column muted_until integer`,
  `alter table chatroom_members add column is_marked_unread integer not null default 0
    constraint chatroom_members_is_marked_unread check (is_marked_unread in (0, 1))`,
  // Increases with each change of the columns above.
  `alter table chatroom_members add column settings_version integer not null default 0`,
];

export const chatSettings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
