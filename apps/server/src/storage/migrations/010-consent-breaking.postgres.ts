import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 010-consent-breaking does on SQLite, on PostgreSQL.

// Erased texts must not stay in the pages of the tables.
const VACUUM_SOON = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 0`;

const STATEMENTS = [
  `alter table chatroom_members
    add column consent text collate "C" not null default 'accepted'
      constraint chatroom_members_consent check (consent in ('accepted', 'requested', 'declined')),
    add column blocked_at bigint,
    add column cleared_seq bigint not null default 0,
    add column block_start_seq bigint not null default 0,
    add column block_end_seq bigint not null default 0`,
  `create index chatroom_members_blocked on chatroom_members (user_id) where blocked_at is not null`,

  `alter table messages add column withheld bigint not null default 0
    constraint messages_withheld check (withheld in (0, 1))`,
  `drop index messages_seq`,
  `create index messages_seq on messages (chatroom_id, seq, deleted_at, sender_id, withheld)`,

  `alter table users
    add column who_may_write text collate "C" not null default 'everyone'
      constraint users_who_may_write check (who_may_write in ('everyone', 'invited', 'nobody')),
    add column is_discoverable bigint not null default 1
      constraint users_is_discoverable check (is_discoverable in (0, 1)),
    add column suspended_at bigint`,

  `alter table invitations
    add column inviter_id text collate "C" references users (id) on delete cascade`,
  `create index invitations_inviter on invitations (inviter_id)`,

  `create table introductions (
    user_id text collate "C" primary key references users (id) on delete cascade,
    inviter_id text collate "C" not null references users (id) on delete cascade
  )`,
  `create index introductions_inviter on introductions (inviter_id)`,

  `create table request_counts (
    user_id text collate "C" primary key references users (id) on delete cascade,
    hour bigint not null,
    messages bigint not null,
    rooms bigint not null
  ) with (fillfactor = 70)`,

  `create table reports (
    id text collate "C" primary key,
    created_at bigint not null,
    closed_at bigint,
    reporter_id text collate "C" references users (id) on delete set null,
    reported_id text collate "C" not null references users (id) on delete cascade,
    reason text collate "C" not null
      constraint reports_reason check (reason in ('spam', 'harassment', 'illegal', 'other')),
    comment text collate "C" not null
  ) with (${VACUUM_SOON})`,
  `create index reports_closed_at on reports (closed_at)`,
  `create index reports_reported on reports (reported_id)`,
  `create index reports_reporter on reports (reporter_id)`,
  `create table report_messages (
    id text collate "C" primary key,
    report_id text collate "C" not null references reports (id) on delete cascade,
    position bigint not null,
    sent_at bigint not null,
    updated_at bigint not null,
    kind text collate "C" not null
      constraint report_messages_kind check (kind in ('text', 'image', 'audio')),
    content text collate "C" not null,
    mime text collate "C",
    constraint report_messages_position unique (report_id, position)
  ) with (${VACUUM_SOON})`,
  `create table report_file_parts (
    report_message_id text collate "C" not null references report_messages (id) on delete cascade,
    part bigint not null,
    data bytea not null constraint report_file_parts_data check (length(data) <= 65536),
    primary key (report_message_id, part)
  ) with (${VACUUM_SOON})`,
];

export const postgresConsent: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
