import { domainToASCII } from 'node:url';
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.

/**
 * Creates the table of accounts whose mailbox another account has, too, and gives all email addresses that
 * were stored in another form the one of today.
 */
export const emailClashes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table email_clashes (
      user_id text primary key references users (id) on delete cascade,
      email text not null
    ) strict, without rowid`.execute(db);
    await sql`create index email_clashes_email on email_clashes (email)`.execute(db);
    await unifyEmails(db);
  },
};

interface AddressRow {
  id: string;
  email: string;
}

/** Brings the addresses of accounts, oldest first, and registrations to one form. Both engines use it. */
export async function unifyEmails(db: Kysely<unknown>): Promise<void> {
  const accounts = await sql<AddressRow>`select id, email from users
    where ended_at is null and (octet_length(email) <> length(email) or email like '%.')
    order by created_at, id`.execute(db);
  for (const { id, email } of accounts.rows) {
    const form = oneForm(email);
    if (form === email) continue;
    const others = await sql`select id from users where email = ${form}`.execute(db);
    // Two accounts of one mailbox cannot both have its address, so the second one keeps what it had.
    await (
      others.rows.length === 0
        ? sql`update users set email = ${form} where id = ${id}`
        : sql`insert into email_clashes (user_id, email) values (${id}, ${form})`
    ).execute(db);
  }
  const registrations = await sql<AddressRow>`select id, email from registrations
    where octet_length(email) <> length(email) or email like '%.'`.execute(db);
  for (const { id, email } of registrations.rows) {
    await sql`update registrations set email = ${oneForm(email)} where id = ${id}`.execute(db);
  }
}

function oneForm(email: string): string {
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  const isInternational = /^(?=.*[^\p{ASCII}])[^\s\p{Cc}/:?#\\%[\]]+$/u.test(domain);
  const ascii = isInternational ? domainToASCII(domain) : '';
  const form = toLowerCase(email.slice(0, start)) + (ascii || toLowerCase(domain));
  return form.replace(/\.+$/, '');
}

function toLowerCase(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
