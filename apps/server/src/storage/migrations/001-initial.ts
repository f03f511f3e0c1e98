import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  `create table users (
    id text primary key,
    username text not null,
    username_key text not null unique,
    email text not null unique,
    password_hash text not null,
    language text not null check (language in ('en', 'de')),
    volume text not null check (volume in ('silent', 'middle', 'full')),
    verified_at integer,
    created_at integer not null
  ) strict, without rowid`,

  `create table account_keys (
    user_id text not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('verify', 'reset')),
    hash text not null,
    expires_at integer not null,
    tries_left integer not null,
    primary key (user_id, purpose)
  ) strict, without rowid`,

  `create table sessions (
    id text primary key,
    token_hash text not null unique,
    user_id text not null references users (id) on delete cascade,
    device text not null,
    created_at integer not null,
    last_seen_at integer not null,
    expires_at integer not null
  ) strict, without rowid`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,

  `create table chatrooms (
    id text primary key,
    pair_key text not null unique,
    last_seq integer not null default 0,
    last_rev integer not null default 0,
    created_at integer not null
  ) strict, without rowid`,

  `create table chatroom_members (
    chatroom_id text not null references chatrooms (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    read_seq integer not null default 0,
    primary key (chatroom_id, user_id)
  ) strict, without rowid`,
  `create index chatroom_members_user on chatroom_members (user_id, chatroom_id)`,

  `create table media (
    id text primary key,
    owner_id text not null references users (id) on delete cascade,
    kind text not null check (kind in ('image', 'audio')),
    mime text not null,
    size integer not null,
    file text not null unique,
    width integer,
    height integer,
    created_at integer not null
  ) strict, without rowid`,
  `create index media_owner on media (owner_id)`,
  `create index media_created on media (created_at)`,

  `create table messages (
    id text primary key,
    chatroom_id text not null references chatrooms (id) on delete cascade,
    seq integer not null,
    rev integer not null,
    sender_id text references users (id) on delete set null,
    kind text not null check (kind in ('text', 'image', 'audio')),
    content text not null,
    media_id text references media (id) on delete set null,
    client_id text,
    created_at integer not null,
    updated_at integer not null,
    deleted_at integer
  ) strict`,
  // Every index costs each message a page of the write-ahead log, so there are only these four. Pages,
  // previews and unread counts use the first one to skip deleted messages. The second one also keeps
  // `seq` unique, because `rev` increases with it.
  `create index messages_seq on messages (chatroom_id, seq, deleted_at, sender_id)`,
  `create unique index messages_rev on messages (chatroom_id, rev)`,
  // Also used to find all messages of a sender.
  `create unique index messages_client on messages (sender_id, client_id)`,
  `create unique index messages_media on messages (media_id) where media_id is not null`,

  `create table outgoing_mails (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('verify', 'reset', 'password-changed')),
    key text,
    attempts integer not null default 0,
    next_attempt_at integer not null,
    expires_at integer not null,
    created_at integer not null
  ) strict, without rowid`,
  `create index outgoing_mails_next on outgoing_mails (next_attempt_at)`,
  `create unique index outgoing_mails_user on outgoing_mails (user_id, purpose)`,

  `create table secrets (
    name text primary key,
    value text not null
  ) strict, without rowid`,
];

export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
