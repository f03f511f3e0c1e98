import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Own messages up to this `seq` are deleted for the member.
  `alter table chatroom_members add column own_cleared_seq integer not null default 0`,
  // Whether the member has deleted the chat, which is listed again once there is a message.
  `alter table chatroom_members add column is_removed integer not null default 0
    constraint chatroom_members_is_removed check (is_removed in (0, 1))`,
  // Erased media of own messages that are deleted for the user. They still count towards the quota.
  `alter table users add column cleared_media_bytes integer not null default 0`,

  // Messages of a chatroom that no member sees are erased, too. SQLite cannot change a constraint.
  `drop trigger media_file_left`,
  `create table new_erasures (
    id integer primary key,
    kind text not null
      constraint erasures_kind check (kind in ('account', 'chatroom', 'file', 'mails', 'free-pages')),
    subject text not null,
    constraint erasures_subject unique (kind, subject)
  ) strict`,
  `insert into new_erasures (id, kind, subject) select id, kind, subject from erasures`,
  `drop table erasures`,
  `alter table new_erasures rename to erasures`,
  `create trigger media_file_left after delete on media begin
    insert or ignore into erasures (kind, subject) values ('file', old.file);
  end`,
];

export const deletedChats: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
