import type { WhoMayWrite } from '@parley/contract';
import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { InvitationsTable } from '../storage/tables/invitations.table.ts';

/** A row of the table `invitations`. */
export type InvitationRow = Selectable<InvitationsTable>;

/** A usable invitation with the username of the user who created it, null for the operator's. */
export interface ListedInvitation extends InvitationRow {
  inviter_name: string | null;
}

/** What decides whether a user accepts those whom the user has invited. */
export interface InviterStatus {
  ended_at: number | null;
  suspended_at: number | null;
  who_may_write: WhoMayWrite | null;
}

/** What a code permits. The columns of the inviter are null for an invitation of the operator. */
export interface InvitationOfCode extends InviterStatus {
  uses_left: number;
  expires_at: number;
  inviter_id: string | null;
  inviter_name: string | null;
}

/** Inserts an invitation. */
export async function insertInvitation(trx: Writer, row: InvitationRow): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

/** Finds the invitation with a code, even if it cannot be used any more. */
export async function findInvitationOfCode(
  db: Reader,
  codeHash: string,
): Promise<InvitationOfCode | undefined> {
  return db
    .selectFrom('invitations')
    .leftJoin('users as inviter', 'inviter.id', 'invitations.inviter_id')
    .select([
      'invitations.uses_left',
      'invitations.expires_at',
      'invitations.inviter_id',
      'inviter.username as inviter_name',
      'inviter.ended_at',
      'inviter.suspended_at',
      'inviter.who_may_write',
    ])
    .where('invitations.code_hash', '=', codeHash)
    .executeTakeFirst();
}

/** Finds what decides whether a user accepts those whom the user has invited. */
export function findInviter(db: Reader, userId: string): Promise<InviterStatus | undefined> {
  return db
    .selectFrom('users')
    .select(['ended_at', 'suspended_at', 'who_may_write'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Consumes one use of an invitation, within the write that has found it usable. */
export async function consumeInvitation(trx: Writer, codeHash: string): Promise<void> {
  await trx
    .updateTable('invitations')
    .set((set) => ({ uses_left: set('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .execute();
}

/**
 * Finds the invitations that can still be used, newest first: those of a user or of the operator
 * (null), or of everyone if no inviter is given.
 */
export async function findUsableInvitations(
  db: Reader,
  now: number,
  inviterId?: string | null,
): Promise<ListedInvitation[]> {
  const usable = db
    .selectFrom('invitations')
    .leftJoin('users as inviter', 'inviter.id', 'invitations.inviter_id')
    .selectAll('invitations')
    .select('inviter.username as inviter_name')
    .where('invitations.uses_left', '>', 0)
    .where('invitations.expires_at', '>', now)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc');
  if (inviterId === undefined) return usable.execute();
  return inviterId === null
    ? usable.where('invitations.inviter_id', 'is', null).execute()
    : usable.where('invitations.inviter_id', '=', inviterId).execute();
}

/**
 * Deletes an invitation. Returns false if there is none with this id, or none of the user `inviterId`
 * if given.
 */
export async function deleteInvitation(
  trx: Writer,
  id: string,
  inviterId?: string,
): Promise<boolean> {
  const deletion = trx.deleteFrom('invitations').where('id', '=', id);
  const result = await (
    inviterId === undefined ? deletion : deletion.where('inviter_id', '=', inviterId)
  ).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes invitations that have expired or have no uses left. */
export async function deleteUnusableInvitations(trx: Writer, now: number): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where((where) => where.or([where('uses_left', '=', 0), where('expires_at', '<=', now)]))
    .execute();
}
