import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { InvitationsTable } from './invitation.table.ts';

type Db = Kysely<Database>;

/** An invitation as the database has it. */
export type InvitationRow = Selectable<InvitationsTable>;

/** Adds an invitation. */
export async function insertInvitation(db: Db, row: InvitationRow): Promise<void> {
  await db.insertInto('invitations').values(row).execute();
}

/** Whether an invitation can still be used. */
export async function isInvitationOpen(db: Db, codeHash: string, now: number): Promise<boolean> {
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
export async function spendInvitation(db: Db, codeHash: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('invitations')
    .set((set) => ({ uses_left: set('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Those that can still be used, the newest first. */
export async function findOpenInvitations(db: Db, now: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Removes an invitation. False if there is none with this id. */
export async function deleteInvitation(db: Db, id: string): Promise<boolean> {
  const result = await db.deleteFrom('invitations').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Removes those that nobody can use any more. */
export async function deleteSpentInvitations(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where((where) => where.or([where('uses_left', '=', 0), where('expires_at', '<=', now)]))
    .execute();
}
