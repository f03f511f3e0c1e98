import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { InvitationsTable } from '../storage/tables/invitations.ts';

/** An invitation as the database has it. */
export type InvitationRow = Selectable<InvitationsTable>;

/** Adds an invitation. */
export async function insertInvitation(trx: Writer, row: InvitationRow): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

/** Whether an invitation can still be used. */
export async function isInvitationUsable(
  db: Reader,
  codeHash: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses an invitation once. False if it cannot be used any more. */
export async function consumeInvitation(
  trx: Writer,
  codeHash: string,
  now: number,
): Promise<boolean> {
  const result = await trx
    .updateTable('invitations')
    .set((set) => ({ uses_left: set('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Those that can still be used, the newest first. */
export async function findUsableInvitations(db: Reader, now: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Removes an invitation. False if there is none with this id. */
export async function deleteInvitation(trx: Writer, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('invitations').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Removes those that nobody can use any more. */
export async function deleteUnusableInvitations(trx: Writer, now: number): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where((where) => where.or([where('uses_left', '=', 0), where('expires_at', '<=', now)]))
    .execute();
}
