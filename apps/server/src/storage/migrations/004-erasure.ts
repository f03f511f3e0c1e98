import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
const STATEMENTS = [
  // Set when the account is deleted. The row stays, without name and address, until everything that
  // references it is erased.
  `alter table users add column ended_at integer`,

  // What remains to be erased. Survives a restart.
  `create table erasures (
    id integer primary key,
    kind text not null check (kind in ('account', 'file', 'mails', 'free-pages')),
    subject text not null,
    unique (kind, subject)
  ) strict`,

  // Queues the file of a deleted upload, so that it is deleted even if the server stops in between.
  `create trigger media_file_left after delete on media begin
    insert or ignore into erasures (kind, subject) values ('file', old.file);
  end`,

  // Databases of earlier versions contain deleted texts in free pages.
  `insert into erasures (kind, subject) select 'free-pages', '' where exists (select 1 from users)`,
];

export const erasure: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
