import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `create table reactions (
    message_id text not null references messages (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    emoji text not null constraint reactions_emoji check (length(emoji) between 1 and 64),
    created_at integer not null,
    withheld integer not null constraint reactions_withheld check (withheld in (0, 1)),
    primary key (message_id, user_id, emoji)
  ) strict, without rowid`,
  `create index reactions_user on reactions (user_id)`,

  // The partner's latest reaction to a message of the member, so that the chat list need not search it.
  `alter table chatroom_members add column reaction_message_id text`,
  `alter table chatroom_members add column reaction_emoji text`,
  `alter table chatroom_members add column reaction_at integer`,
  `alter table chatroom_members add column reaction_seq integer`,
];

export const reactions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
