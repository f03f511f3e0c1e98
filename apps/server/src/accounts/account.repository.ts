import { usernameKey, type ChangedSettings } from '@parley/contract';
import { initialSettings } from '@parley/contract/schemas';
import { toLanguage } from '@parley/texts';
import type { Selectable } from 'kysely';
import { selectEmailHolders, selectMailboxAccounts } from '../storage/mailbox-accounts.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import type { UsersTable } from '../storage/tables/users.table.ts';
import { upsertSkeletons } from './look-alike.repository.ts';
import type { RegistrationRow } from './registration.repository.ts';
import { usernameSkeletons } from './look-alikes.ts';
import { toSettingColumns } from './setting-columns.ts';

/** A row of the table `users`. */
export type UserRow = Selectable<UsersTable>;

/** Inserts the account of a registration, which is verified now. */
export async function insertUser(
  trx: Writer,
  registration: Pick<
    RegistrationRow,
    'id' | 'username' | 'email' | 'password_hash' | 'language' | 'created_at'
  >,
): Promise<void> {
  const { id, username, email, password_hash, created_at } = registration;
  const language = toLanguage(registration.language);
  await trx
    .insertInto('users')
    .values({
      id,
      username,
      username_key: usernameKey(username),
      email,
      password_hash,
      ...toSettingColumns({ ...initialSettings(), language }),
      verified_at: Date.now(),
      created_at,
    })
    .execute();
  await upsertSkeletons(trx, id, username);
}

/**
 * Finds the accounts with a normalized email address, of which there are several only if earlier versions
 * stored the address in several forms. The account that has the address in today's form is the first.
 */
export async function findUsersByEmail(db: Reader, email: string): Promise<UserRow[]> {
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', selectMailboxAccounts(db, email))
    .orderBy('created_at')
    .execute();
  return users.toSorted((a, b) => Number(b.email === email) - Number(a.email === email));
}

/** Finds the account with an id, unless it was deleted. */
export async function findUserById(db: Reader, id: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Returns whether an account has this username, a look-alike of it, or this email address, or can be taken
 * back to the address.
 */
export async function isTakenByAccount(
  db: Reader,
  username: string,
  email: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((where) =>
      where.or([
        where('username_key', '=', usernameKey(username)),
        where('id', 'in', selectEmailHolders(db, email)),
        where('id', 'in', (eb) =>
          eb
            .selectFrom('username_skeletons')
            .select('user_id')
            .where('skeleton', 'in', usernameSkeletons(username)),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the password hash. */
export async function setPasswordHash(trx: Writer, id: string, hash: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
}

/** Stores changed settings. */
export async function setSettings(
  trx: Writer,
  id: string,
  settings: ChangedSettings,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      ...toSettingColumns(settings),
      ...(settings.sharesPresence === false && { last_seen_at: null }),
    })
    .where('id', '=', id)
    .execute();
}
