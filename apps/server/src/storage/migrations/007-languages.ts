import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // The application validates languages, so that a new one needs no migration.
  `create table new_users (
    id text primary key,
    username text not null,
    username_key text not null constraint users_username_key unique,
    email text not null constraint users_email unique,
    password_hash text not null,
    language text not null constraint users_language check (length(language) between 2 and 35),
    volume text not null constraint users_volume check (volume in ('silent', 'middle', 'full')),
    verified_at integer,
    created_at integer not null,
    ended_at integer
  ) strict, without rowid`,
  `insert into new_users
    (id, username, username_key, email, password_hash, language, volume, verified_at, created_at, ended_at)
    select id, username, username_key, email, password_hash, language, volume, verified_at, created_at, ended_at
    from users`,
  `drop table users`,
  `alter table new_users rename to users`,
];

export const languages: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
