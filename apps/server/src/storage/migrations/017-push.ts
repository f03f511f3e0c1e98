import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `create table notification_settings (
    user_id text primary key references users (id) on delete cascade,
    version integer not null,
    content text not null
      constraint notification_settings_content check (content in ('none', 'who', 'whoAndWhat')),
    -- Local times (HH:MM). All four are null without quiet hours.
    quiet_from text,
    quiet_to text,
    quiet_zone text,
    quiet_only_sound integer
      constraint notification_settings_quiet_only_sound check (quiet_only_sound in (0, 1)),
    -- UTC milliseconds.
    paused_until integer
  ) strict, without rowid`,

  `create table push_subscriptions (
    session_id text primary key references sessions (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    endpoint text not null constraint push_subscriptions_endpoint unique,
    p256dh text not null,
    auth text not null,
    site text not null,
    created_at integer not null,
    seen_at integer not null,
    succeeded_at integer,
    failing_since integer
  ) strict, without rowid`,
  `create index push_subscriptions_user on push_subscriptions (user_id)`,

  `create table push_queue (
    id text primary key,
    session_id text not null references push_subscriptions (session_id) on delete cascade,
    chatroom_id text not null references chatrooms (id) on delete cascade,
    kind text not null constraint push_queue_kind check (kind in ('message', 'reaction')),
    since integer not null,
    latest integer not null,
    created_at integer not null,
    due_at integer not null,
    attempts integer not null default 0,
    constraint push_queue_room unique (session_id, chatroom_id, kind)
  ) strict, without rowid`,
  `create index push_queue_due on push_queue (due_at)`,
  `create index push_queue_chatroom on push_queue (chatroom_id)`,

  // The chatrooms with a notification on a device, which it may have to close.
  `create table push_shown (
    session_id text not null references push_subscriptions (session_id) on delete cascade,
    chatroom_id text not null references chatrooms (id) on delete cascade,
    seq integer not null,
    primary key (session_id, chatroom_id)
  ) strict, without rowid`,
  `create index push_shown_chatroom on push_shown (chatroom_id)`,
];

export const push: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
