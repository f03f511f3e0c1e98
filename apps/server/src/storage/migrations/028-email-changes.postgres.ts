import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 028-email-changes does on SQLite, on PostgreSQL.
const VACUUM = `with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 0
)`;

const STATEMENTS = [
  `create table email_changes (
    user_id text collate "C" primary key references users (id) on delete cascade,
    email text collate "C" not null,
    key_hash text collate "C" not null,
    key_expires_at bigint not null,
    tries_left bigint not null
  ) ${VACUUM}`,

  `create table former_emails (
    key_hash text collate "C" primary key,
    user_id text collate "C" not null references users (id) on delete cascade,
    email text collate "C" not null,
    stored_email text collate "C" not null,
    position bigint not null,
    expires_at bigint not null,
    constraint former_emails_position unique (user_id, position)
  ) ${VACUUM}`,
  `create index former_emails_email on former_emails (email)`,

  `alter table outgoing_mails
    add column email text collate "C",
    drop constraint outgoing_mails_purpose,
    add constraint outgoing_mails_purpose check (
      purpose in ('verify', 'reset', 'password-changed', 'change-email', 'email-taken', 'email-changed',
        'email-restored', 'email-set')
    )`,
  `drop index outgoing_mails_user`,
  `create index outgoing_mails_user on outgoing_mails (user_id, purpose)`,
];

export const postgresEmailChanges: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
