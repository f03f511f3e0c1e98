import type { Reader, Writer } from '../storage/storage.ts';
import type { InviterStatus } from './invitation.repository.ts';

/** Stores who invited an account. */
export async function insertIntroduction(
  trx: Writer,
  userId: string,
  inviterId: string,
): Promise<void> {
  await trx
    .insertInto('introductions')
    .values({ user_id: userId, inviter_id: inviterId })
    .execute();
}

/** Finds the user who invited an account. */
export function findInviter(
  db: Reader,
  userId: string,
): Promise<(InviterStatus & { id: string }) | undefined> {
  return db
    .selectFrom('introductions')
    .innerJoin('users as inviter', 'inviter.id', 'introductions.inviter_id')
    .select(['inviter.id', 'inviter.ended_at', 'inviter.suspended_at', 'inviter.who_may_write'])
    .where('introductions.user_id', '=', userId)
    .executeTakeFirst();
}

/** Deletes what is stored about who invited an account. */
export async function deleteIntroduction(trx: Writer, userId: string): Promise<void> {
  await trx.deleteFrom('introductions').where('user_id', '=', userId).execute();
}
