import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // The address that a user wants to change to, until the key in the mail to it is entered.
  `create table email_changes (
    user_id text primary key references users (id) on delete cascade,
    email text not null,
    key_hash text not null,
    key_expires_at integer not null,
    tries_left integer not null
  ) strict, without rowid`,

  // Addresses that accounts had, to which they can be taken back for some days.
  `create table former_emails (
    key_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    -- The form that is compared, and the one that the account had.
    email text not null,
    stored_email text not null,
    position integer not null,
    expires_at integer not null,
    constraint former_emails_position unique (user_id, position)
  ) strict, without rowid`,
  `create index former_emails_email on former_emails (email)`,

  `create table new_outgoing_mails (
    id text primary key,
    user_id text references users (id) on delete cascade,
    registration_id text references registrations (id) on delete cascade,
    -- Null if it goes to the address that the recipient has when it is sent.
    email text,
    purpose text not null constraint outgoing_mails_purpose check (
      purpose in ('verify', 'reset', 'password-changed', 'change-email', 'email-taken', 'email-changed',
        'email-restored', 'email-set')
    ),
    key text,
    attempts integer not null default 0,
    next_attempt_at integer not null,
    expires_at integer not null,
    created_at integer not null,
    constraint outgoing_mails_recipient check ((user_id is null) <> (registration_id is null))
  ) strict, without rowid`,
  `insert into new_outgoing_mails
    select id, user_id, registration_id, null, purpose, key, attempts, next_attempt_at, expires_at, created_at
    from outgoing_mails`,
  `drop table outgoing_mails`,
  `alter table new_outgoing_mails rename to outgoing_mails`,
  `create index outgoing_mails_next on outgoing_mails (next_attempt_at)`,
  // Not unique, as a user may get mails for a purpose at several addresses.
  `create index outgoing_mails_user on outgoing_mails (user_id, purpose)`,
  `create unique index outgoing_mails_registration on outgoing_mails (registration_id)`,
];

export const emailChanges: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
