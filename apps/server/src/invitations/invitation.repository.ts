import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { InvitationsTable } from '../storage/tables/invitations.table.ts';

/** A row of the table `invitations`. */
export type InvitationRow = Selectable<InvitationsTable>;

export async function insertInvitation(trx: Writer, row: InvitationRow): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

/** Returns whether an invitation has uses left and has not expired. */
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

/** Consumes one use of an invitation. Returns false if it has none left or has expired. */
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

/** Finds the invitations that can still be used, newest first. */
export async function findUsableInvitations(db: Reader, now: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Deletes an invitation. Returns false if there is none with this id. */
export async function deleteInvitation(trx: Writer, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('invitations').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes invitations that have expired or have no uses left. */
export async function deleteUnusableInvitations(trx: Writer, now: number): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where((where) => where.or([where('uses_left', '=', 0), where('expires_at', '<=', now)]))
    .execute();
}
