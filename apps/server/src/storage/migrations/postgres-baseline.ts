import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. The schema that the SQLite migrations up to 009 create, on PostgreSQL. Texts have the
// collation "C", so that their order does not depend on the locale of the database.

// Deleted and edited texts stay in the pages of a table until it is vacuumed. By default, that
// begins when a fifth of the rows is outdated; with this, within a minute or two of each change.
// Long texts are in a table of their own.
const VACUUM_SOON = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 0`;

const STATEMENTS = [
  `create table users (
    id text collate "C" primary key,
    username text collate "C" not null,
    username_key text collate "C" not null constraint users_username_key unique,
    email text collate "C" not null constraint users_email unique,
    password_hash text collate "C" not null,
    language text collate "C" not null
      constraint users_language check (length(language) between 2 and 35),
    volume text collate "C" not null
      constraint users_volume check (volume in ('silent', 'middle', 'full')),
    verified_at bigint,
    created_at bigint not null,
    ended_at bigint
  ) with (${VACUUM_SOON})`,

  `create table account_keys (
    user_id text collate "C" not null references users (id) on delete cascade,
    purpose text collate "C" not null
      constraint account_keys_purpose check (purpose in ('verify', 'reset')),
    hash text collate "C" not null,
    expires_at bigint not null,
    tries_left bigint not null,
    primary key (user_id, purpose)
  )`,

  `create table username_skeletons (
    skeleton text collate "C" not null,
    user_id text collate "C" not null references users (id) on delete cascade,
    version text collate "C" not null,
    primary key (skeleton, user_id)
  ) with (${VACUUM_SOON})`,
  `create index username_skeletons_user on username_skeletons (user_id, version)`,

  `create table sessions (
    id text collate "C" primary key,
    token_hash text collate "C" not null constraint sessions_token_hash unique,
    user_id text collate "C" not null references users (id) on delete cascade,
    device text collate "C" not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null
  ) with (${VACUUM_SOON})`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,

  `create table ended_sessions (
    token_hash text collate "C" primary key,
    reason text collate "C" not null
      constraint ended_sessions_reason
      check (reason in ('revoked', 'password-changed', 'account-deleted')),
    ended_at bigint not null
  )`,
  `create index ended_sessions_ended_at on ended_sessions (ended_at)`,

  // Pages with free space let an update of the counters stay on its page, without index entries.
  `create table chatrooms (
    id text collate "C" primary key,
    pair_key text collate "C" not null constraint chatrooms_pair_key unique,
    last_seq bigint not null default 0,
    last_rev bigint not null default 0,
    created_at bigint not null
  ) with (fillfactor = 70)`,

  `create table chatroom_members (
    chatroom_id text collate "C" not null references chatrooms (id) on delete cascade,
    user_id text collate "C" not null references users (id) on delete cascade,
    read_seq bigint not null default 0,
    primary key (chatroom_id, user_id)
  ) with (fillfactor = 70)`,
  `create index chatroom_members_user on chatroom_members (user_id, chatroom_id)`,

  `create table media (
    id text collate "C" primary key,
    owner_id text collate "C" not null references users (id) on delete cascade,
    kind text collate "C" not null constraint media_kind check (kind in ('image', 'audio')),
    mime text collate "C" not null,
    size bigint not null,
    file text collate "C" not null constraint media_file unique,
    width bigint,
    height bigint,
    created_at bigint not null,
    inspected_rules bigint not null default 0,
    is_blocked bigint not null default 0 constraint media_is_blocked check (is_blocked in (0, 1)),
    duration_ms bigint constraint media_duration_ms check (duration_ms >= 0),
    peaks bytea
  ) with (${VACUUM_SOON})`,
  `create index media_created on media (created_at)`,
  `create index media_owner on media (owner_id, size)`,
  `create index media_inspected on media (kind, inspected_rules, id)`,
  `create index media_unmeasured on media (id) where kind = 'audio' and duration_ms is null`,

  `create table messages (
    id text collate "C" primary key,
    chatroom_id text collate "C" not null references chatrooms (id) on delete cascade,
    seq bigint not null,
    rev bigint not null,
    sender_id text collate "C" references users (id) on delete set null,
    kind text collate "C" not null
      constraint messages_kind check (kind in ('text', 'image', 'audio')),
    content text collate "C" not null,
    media_id text collate "C" references media (id) on delete set null,
    client_id text collate "C",
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint
  ) with (${VACUUM_SOON})`,
  `create index messages_seq on messages (chatroom_id, seq, deleted_at, sender_id)`,
  `create unique index messages_rev on messages (chatroom_id, rev)`,
  `create unique index messages_client on messages (sender_id, client_id)`,
  `create unique index messages_media on messages (media_id) where media_id is not null`,

  `create table outgoing_mails (
    id text collate "C" primary key,
    user_id text collate "C" not null references users (id) on delete cascade,
    purpose text collate "C" not null
      constraint outgoing_mails_purpose check (purpose in ('verify', 'reset', 'password-changed')),
    key text collate "C",
    attempts bigint not null default 0,
    next_attempt_at bigint not null,
    expires_at bigint not null,
    created_at bigint not null
  ) with (${VACUUM_SOON})`,
  `create index outgoing_mails_next on outgoing_mails (next_attempt_at)`,
  `create unique index outgoing_mails_user on outgoing_mails (user_id, purpose)`,

  `create table secrets (
    name text collate "C" primary key,
    value text collate "C" not null
  )`,

  `create table invitations (
    id text collate "C" primary key,
    code_hash text collate "C" not null constraint invitations_code_hash unique,
    note text collate "C" not null,
    uses_left bigint not null constraint invitations_uses_left check (uses_left >= 0),
    created_at bigint not null,
    expires_at bigint not null
  )`,

  `create table message_counts (
    user_id text collate "C" primary key references users (id) on delete cascade,
    day bigint not null,
    sent bigint not null
  ) with (fillfactor = 70)`,

  `create table heartbeat (
    id bigint primary key constraint heartbeat_id check (id = 1),
    at bigint not null
  )`,

  `create table erasures (
    id bigint generated by default as identity primary key,
    kind text collate "C" not null
      constraint erasures_kind check (kind in ('account', 'file', 'mails', 'free-pages')),
    subject text collate "C" not null,
    constraint erasures_subject unique (kind, subject)
  )`,

  // Counters of uses that all servers share. They may be lost in a crash, so they are not logged,
  // and they are in no backup.
  `create unlogged table shared_counters (
    key text collate "C" primary key,
    remaining bigint not null,
    ends_at bigint not null
  ) with (fillfactor = 70)`,
  `create index shared_counters_ends_at on shared_counters (ends_at)`,

  `create table media_usage (
    id bigint primary key constraint media_usage_id check (id = 1),
    files bigint not null,
    bytes bigint not null
  )`,
  `insert into media_usage (id, files, bytes) values (1, 0, 0)`,
  `create function media_added() returns trigger language plpgsql as $$ begin
    update media_usage set files = files + 1, bytes = bytes + new.size;
    return null;
  end $$`,
  `create function media_removed() returns trigger language plpgsql as $$ begin
    update media_usage set files = files - 1, bytes = bytes - old.size;
    return null;
  end $$`,
  `create function media_resized() returns trigger language plpgsql as $$ begin
    update media_usage set bytes = bytes + new.size - old.size;
    return null;
  end $$`,
  `create function media_file_left() returns trigger language plpgsql as $$ begin
    insert into erasures (kind, subject) values ('file', old.file) on conflict do nothing;
    return null;
  end $$`,
  `create trigger media_added after insert on media
    for each row execute function media_added()`,
  `create trigger media_removed after delete on media
    for each row execute function media_removed()`,
  `create trigger media_resized after update of size on media
    for each row execute function media_resized()`,
  `create trigger media_file_left after delete on media
    for each row execute function media_file_left()`,
];

export const postgresBaseline: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
