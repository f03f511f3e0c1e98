import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Accounts that are not verified yet. An address may have several, of which the emailed key selects one.
  // The skeletons are those of the username as typed and case-folded (see 006-look-alikes).
  `create table registrations (
    id text primary key,
    email text not null,
    username text not null,
    skeleton text not null,
    folded_skeleton text not null,
    password_hash text not null,
    language text not null
      constraint registrations_language check (length(language) between 2 and 35),
    inviter_id text references users (id) on delete set null,
    key_hash text not null,
    key_expires_at integer not null,
    tries_left integer not null,
    created_at integer not null
  ) strict, without rowid`,
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

  `create table new_outgoing_mails (
    id text primary key,
    user_id text references users (id) on delete cascade,
    registration_id text references registrations (id) on delete cascade,
    purpose text not null
      constraint outgoing_mails_purpose check (purpose in ('verify', 'reset', 'password-changed')),
    key text,
    attempts integer not null default 0,
    next_attempt_at integer not null,
    expires_at integer not null,
    created_at integer not null,
    constraint outgoing_mails_recipient check ((user_id is null) <> (registration_id is null))
  ) strict, without rowid`,
  `insert into new_outgoing_mails
    select outgoing_mails.id,
      case when registrations.id is null then user_id end, registrations.id,
      purpose, key, attempts, next_attempt_at, expires_at, outgoing_mails.created_at
    from outgoing_mails left join registrations on registrations.id = user_id
    where registrations.id is null or purpose = 'verify'`,
  `drop table outgoing_mails`,
  `alter table new_outgoing_mails rename to outgoing_mails`,
  `create index outgoing_mails_next on outgoing_mails (next_attempt_at)`,
  `create unique index outgoing_mails_user on outgoing_mails (user_id, purpose)`,
  `create unique index outgoing_mails_registration on outgoing_mails (registration_id)`,

  // Foreign keys are off, so nothing cascades.
  `drop table introductions`,
  `delete from account_keys
    where purpose = 'verify' or user_id in (select id from registrations)`,
  `delete from username_skeletons where user_id in (select id from registrations)`,
  `delete from users where id in (select id from registrations)`,
];

export const registrations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
