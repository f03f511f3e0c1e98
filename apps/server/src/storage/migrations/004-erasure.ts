import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: no import from the application, no change. A further step is a new file.
const STATEMENTS = [
  // Set when the account is deleted. Its row stays, without name and address, until everything that
  // refers to it is erased.
  `alter table users add column ended_at integer`,

  // What is left to erase. It survives a restart.
  `create table erasures (
    id integer primary key,
    kind text not null check (kind in ('account', 'file', 'mails', 'free-pages')),
    subject text not null,
    unique (kind, subject)
  ) strict`,

  // The file of an upload goes with its row, also if the server ends in between.
  `create trigger media_file_left after delete on media begin
    insert or ignore into erasures (kind, subject) values ('file', old.file);
  end`,

  // Databases of earlier versions keep deleted texts in pages that are free.
  `insert into erasures (kind, subject) select 'free-pages', '' where exists (select 1 from users)`,
];

export const erasure: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
