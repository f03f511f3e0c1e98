import { domainToASCII } from 'node:url';
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead. Both
// engines use it.

/** Gives email addresses with other letters than those of ASCII one form: NFC, with the domain in ASCII. */
export const emailForm: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of [sql.table('users'), sql.table('registrations')]) {
      const { rows } = await sql<{ id: string; email: string }>`
        select id, email from ${table} where octet_length(email) <> length(email)`.execute(db);
      for (const { id, email } of rows) {
        const form = oneForm(email);
        // Two accounts of one address cannot both have it, so the second one keeps what it had.
        await sql`update ${table} set email = ${form} where id = ${id}
          and not exists (select 1 from users as other where other.email = ${form})`.execute(db);
      }
    }
  },
};

function oneForm(email: string): string {
  const readable = email.normalize('NFC').toLowerCase();
  const start = readable.lastIndexOf('@') + 1;
  const domain = readable.slice(start);
  return readable.slice(0, start) + (domainToASCII(domain) || domain);
}
