import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
// Breaking, because servers of earlier versions would deliver messages to users who have blocked their
// senders.
const STATEMENTS = [
  // A member's consent to messages of the partner. Existing chats are accepted.
  `alter table chatroom_members add column consent text not null default 'accepted'
    constraint chatroom_members_consent check (consent in ('accepted', 'requested', 'declined'))`,
  `alter table chatroom_members add column blocked_at integer`,
  `alter table chatroom_members add column cleared_seq integer not null default 0`,
  // Positions before and at the end of the latest block, between which the member sees nothing.
  `alter table chatroom_members add column block_start_seq integer not null default 0`,
  `alter table chatroom_members add column block_end_seq integer not null default 0`,
  `create index chatroom_members_blocked on chatroom_members (user_id) where blocked_at is not null`,

  // 1 for a message that only its sender sees. Part of the index of pages, previews and unread counts,
  // so that they skip such messages without reading their rows.
  `alter table messages add column withheld integer not null default 0
    constraint messages_withheld check (withheld in (0, 1))`,
  `drop index messages_seq`,
  `create index messages_seq on messages (chatroom_id, seq, deleted_at, sender_id, withheld)`,

  `alter table users add column who_may_write text not null default 'everyone'
    constraint users_who_may_write check (who_may_write in ('everyone', 'invited', 'nobody'))`,
  `alter table users add column is_discoverable integer not null default 1
    constraint users_is_discoverable check (is_discoverable in (0, 1))`,
  `alter table users add column suspended_at integer`,

  // Null for an invitation of the operator.
  `alter table invitations add column inviter_id text references users (id) on delete cascade`,
  `create index invitations_inviter on invitations (inviter_id)`,

  // Accounts that registered with a user's invitation and are not verified yet.
  `create table introductions (
    user_id text primary key references users (id) on delete cascade,
    inviter_id text not null references users (id) on delete cascade
  ) strict, without rowid`,
  `create index introductions_inviter on introductions (inviter_id)`,

  // What an account sent to users who have not accepted it, in its latest active hour since 1970.
  `create table request_counts (
    user_id text primary key references users (id) on delete cascade,
    hour integer not null,
    messages integer not null,
    rooms integer not null
  ) strict, without rowid`,

  `create table reports (
    id text primary key,
    created_at integer not null,
    closed_at integer,
    reporter_id text references users (id) on delete set null,
    reported_id text not null references users (id) on delete cascade,
    reason text not null
      constraint reports_reason check (reason in ('spam', 'harassment', 'illegal', 'other')),
    comment text not null
  ) strict`,
  `create index reports_closed_at on reports (closed_at)`,
  `create index reports_reported on reports (reported_id)`,
  `create index reports_reporter on reports (reporter_id)`,
  `create table report_messages (
    id text primary key,
    report_id text not null references reports (id) on delete cascade,
    position integer not null,
    sent_at integer not null,
    updated_at integer not null,
    kind text not null
      constraint report_messages_kind check (kind in ('text', 'image', 'audio')),
    content text not null,
    mime text,
    constraint report_messages_position unique (report_id, position)
  ) strict`,
  // Files in parts, because a copy of the database holds several hundred rows in memory.
  `create table report_file_parts (
    report_message_id text not null references report_messages (id) on delete cascade,
    part integer not null,
    data blob not null constraint report_file_parts_data check (length(data) <= 65536),
    primary key (report_message_id, part)
  ) strict`,
];

export const consent: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
