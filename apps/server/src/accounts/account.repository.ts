import { usernameKey, type PrivacyBody, type Volume } from '@parley/contract';
import type { Language } from '@parley/texts';
import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { UsersTable } from '../storage/tables/users.table.ts';
import { upsertSkeletons } from './look-alike.repository.ts';
import { usernameSkeletons } from './look-alikes.ts';

/** A row of the table `users`. */
export type UserRow = Selectable<UsersTable>;

/** Inserts a verified account. Times are in UTC milliseconds. */
export async function insertUser(
  trx: Writer,
  user: {
    id: string;
    username: string;
    email: string;
    passwordHash: string;
    language: Language;
    registeredAt: number;
    verifiedAt: number;
  },
): Promise<void> {
  await trx
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_key: usernameKey(user.username),
      email: user.email,
      password_hash: user.passwordHash,
      language: user.language,
      volume: 'middle',
      verified_at: user.verifiedAt,
      created_at: user.registeredAt,
    })
    .execute();
  await upsertSkeletons(trx, user.id, user.username);
}

/** Finds the account with a normalized email address. */
export async function findUserByEmail(db: Reader, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
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

/** Returns whether an account has this username, a look-alike of it, or this email address. */
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
        where('email', '=', email),
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

/** Stores the language of the interface and of mails. */
export async function setLanguage(trx: Writer, id: string, language: Language): Promise<void> {
  await trx.updateTable('users').set({ language }).where('id', '=', id).execute();
}

/** Stores the volume of sounds. */
export async function setVolume(trx: Writer, id: string, volume: Volume): Promise<void> {
  await trx.updateTable('users').set({ volume }).where('id', '=', id).execute();
}

/** Stores who may write to the account and whether others find it. Keeps what is undefined. */
export async function setPrivacy(
  trx: Writer,
  id: string,
  { whoMayWrite, isDiscoverable, sharesReceipts, sharesTyping, sharesPresence }: PrivacyBody,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      ...(whoMayWrite !== undefined && { who_may_write: whoMayWrite }),
      ...(isDiscoverable !== undefined && { is_discoverable: isDiscoverable ? 1 : 0 }),
      ...(sharesReceipts !== undefined && { shares_receipts: sharesReceipts ? 1 : 0 }),
      ...(sharesTyping !== undefined && { shares_typing: sharesTyping ? 1 : 0 }),
      ...(sharesPresence !== undefined && { shares_presence: sharesPresence ? 1 : 0 }),
      ...(sharesPresence === false && { last_seen_at: null }),
    })
    .where('id', '=', id)
    .execute();
}
