import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 020-registrations-breaking does on SQLite, on PostgreSQL.
const STATEMENTS = [
  `create table registrations (
    id text collate "C" primary key,
    email text collate "C" not null,
    username text collate "C" not null,
    skeleton text collate "C" not null,
    folded_skeleton text collate "C" not null,
    password_hash text collate "C" not null,
    language text collate "C" not null
      constraint registrations_language check (length(language) between 2 and 35),
    inviter_id text collate "C" references users (id) on delete set null,
    key_hash text collate "C" not null,
    key_expires_at bigint not null,
    tries_left bigint not null,
    created_at bigint not null
  ) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 0
  )`,
  `insert into registrations
    select users.id, email, username,
      coalesce(
        (select min(skeleton) from username_skeletons where user_id = users.id), username_key),
      coalesce(
        (select max(skeleton) from username_skeletons where user_id = users.id), username_key),
      password_hash, language, inviter_id, coalesce(hash, ''), coalesce(expires_at, 0),
      coalesce(tries_left, 0), users.created_at
    from users
      left join introductions on introductions.user_id = users.id
      left join account_keys on account_keys.user_id = users.id and purpose = 'verify'
    where verified_at is null and ended_at is null`,
  `create index registrations_email on registrations (email, created_at)`,
  `create index registrations_skeleton on registrations (skeleton)`,
  `create index registrations_folded_skeleton on registrations (folded_skeleton)`,
  `create index registrations_inviter on registrations (inviter_id)`,
  `create index registrations_created on registrations (created_at)`,

  `delete from outgoing_mails
    where purpose <> 'verify' and user_id in (select id from registrations)`,
  `alter table outgoing_mails
    alter column user_id drop not null,
    add column registration_id text collate "C" references registrations (id) on delete cascade`,
  `update outgoing_mails set registration_id = user_id, user_id = null
    where user_id in (select id from registrations)`,
  `alter table outgoing_mails
    add constraint outgoing_mails_recipient check ((user_id is null) <> (registration_id is null))`,
  `create unique index outgoing_mails_registration on outgoing_mails (registration_id)`,

  `drop table introductions`,
  `delete from account_keys where purpose = 'verify'`,
  `delete from users where id in (select id from registrations)`,
];

export const postgresRegistrations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
