import type { Language } from '@parley/texts';
import type { Insertable, Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { RegistrationsTable } from '../storage/tables/registrations.table.ts';
import { foldedSkeleton, skeletonAsTyped, usernameSkeletons } from './look-alikes.ts';

/** A row of the table `registrations`. */
export type RegistrationRow = Selectable<RegistrationsTable>;

/** Inserts a registration without a key. */
export async function insertRegistration(
  trx: Writer,
  registration: Pick<
    Insertable<RegistrationsTable>,
    'id' | 'email' | 'username' | 'password_hash' | 'inviter_id' | 'created_at'
  > & { language: Language },
): Promise<void> {
  await trx
    .insertInto('registrations')
    .values({
      ...registration,
      skeleton: skeletonAsTyped(registration.username),
      folded_skeleton: foldedSkeleton(registration.username),
      key_hash: '',
      key_expires_at: 0,
      tries_left: 0,
    })
    .execute();
}

/** Returns all registrations, or those of an email address, newest first. */
export function findRegistrations(db: Reader, email?: string): Promise<RegistrationRow[]> {
  const rows = db
    .selectFrom('registrations')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  return (email === undefined ? rows : rows.where('email', '=', email)).execute();
}

/** Finds the registrations with a username or a look-alike of it. */
export function findLookAlikes(db: Reader, username: string): Promise<RegistrationRow[]> {
  const skeletons = usernameSkeletons(username);
  return db
    .selectFrom('registrations')
    .selectAll()
    .where((where) =>
      where.or([where('skeleton', 'in', skeletons), where('folded_skeleton', 'in', skeletons)]),
    )
    .execute();
}

/** Deletes registrations. */
export async function deleteRegistrations(trx: Writer, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('registrations').where('id', 'in', ids).execute();
}

/** Deletes the registrations from before a time in UTC milliseconds. */
export async function deleteRegistrationsBefore(trx: Writer, time: number): Promise<void> {
  await trx.deleteFrom('registrations').where('created_at', '<', time).execute();
}

/** Stores the key of a registration. */
export async function setVerificationKey(
  trx: Writer,
  id: string,
  key: Pick<RegistrationRow, 'key_hash' | 'key_expires_at' | 'tries_left'>,
): Promise<void> {
  await trx.updateTable('registrations').set(key).where('id', '=', id).execute();
}

/**
 * Consumes an attempt of each of the registrations and returns those whose keys are valid and had
 * attempts left.
 */
export async function consumeAttempts(
  trx: Writer,
  ids: readonly string[],
  now: number,
): Promise<RegistrationRow[]> {
  if (ids.length === 0) return [];
  return trx
    .updateTable('registrations')
    .set((set) => ({ tries_left: set('tries_left', '-', 1) }))
    .where('id', 'in', ids)
    .where('key_expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returningAll()
    .execute();
}
