import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 017-push does on SQLite, on PostgreSQL.

// Erased rows must not stay in the pages of the tables.
const VACUUM_SOON = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0`;

const STATEMENTS = [
  `create table notification_settings (
    user_id text collate "C" primary key references users (id) on delete cascade,
    version bigint not null,
    content text collate "C" not null
      constraint notification_settings_content check (content in ('none', 'who', 'whoAndWhat')),
    quiet_from text collate "C",
    quiet_to text collate "C",
    quiet_zone text collate "C",
    quiet_only_sound bigint
      constraint notification_settings_quiet_only_sound check (quiet_only_sound in (0, 1)),
    paused_until bigint
  ) with (${VACUUM_SOON})`,

  `create table push_subscriptions (
    session_id text collate "C" primary key references sessions (id) on delete cascade,
    user_id text collate "C" not null references users (id) on delete cascade,
    endpoint text collate "C" not null constraint push_subscriptions_endpoint unique,
    p256dh text collate "C" not null,
    auth text collate "C" not null,
    site text collate "C" not null,
    created_at bigint not null,
    seen_at bigint not null,
    succeeded_at bigint,
    failing_since bigint
  ) with (${VACUUM_SOON})`,
  `create index push_subscriptions_user on push_subscriptions (user_id)`,

  `create table push_queue (
    id text collate "C" primary key,
    session_id text collate "C" not null references push_subscriptions (session_id) on delete cascade,
    chatroom_id text collate "C" not null references chatrooms (id) on delete cascade,
    kind text collate "C" not null constraint push_queue_kind check (kind in ('message', 'reaction')),
    since bigint not null,
    latest bigint not null,
    created_at bigint not null,
    due_at bigint not null,
    attempts bigint not null default 0,
    constraint push_queue_room unique (session_id, chatroom_id, kind)
  )`,
  `create index push_queue_due on push_queue (due_at)`,
  `create index push_queue_chatroom on push_queue (chatroom_id)`,

  `create table push_shown (
    session_id text collate "C" not null references push_subscriptions (session_id) on delete cascade,
    chatroom_id text collate "C" not null references chatrooms (id) on delete cascade,
    seq bigint not null,
    primary key (session_id, chatroom_id)
  )`,
  `create index push_shown_chatroom on push_shown (chatroom_id)`,
];

export const postgresPush: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
