import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Set for the member whose invitation the partner has used, in UTC milliseconds.
  `alter table chatroom_members add column invitation_accepted_at integer`,

  // Users are notified of it, too. SQLite cannot change a constraint.
  `create table new_push_queue (
    id text primary key,
    session_id text not null references push_subscriptions (session_id) on delete cascade,
    chatroom_id text not null references chatrooms (id) on delete cascade,
    kind text not null
      constraint push_queue_kind check (kind in ('message', 'reaction', 'invitation')),
    since integer not null,
    latest integer not null,
    created_at integer not null,
    due_at integer not null,
    attempts integer not null default 0,
    constraint push_queue_room unique (session_id, chatroom_id, kind)
  ) strict, without rowid`,
  `insert into new_push_queue
    (id, session_id, chatroom_id, kind, since, latest, created_at, due_at, attempts)
    select id, session_id, chatroom_id, kind, since, latest, created_at, due_at, attempts
    from push_queue`,
  `drop table push_queue`,
  `alter table new_push_queue rename to push_queue`,
  `create index push_queue_due on push_queue (due_at)`,
  `create index push_queue_chatroom on push_queue (chatroom_id)`,
];

export const acceptedInvitations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
