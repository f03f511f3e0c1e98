import { introduce } from '../chatrooms/consent.service.ts';
import type { WriteContext } from '../storage/storage.ts';
import { deleteIntroduction, findInviter, insertIntroduction } from './introduction.repository.ts';
import { isInviterAvailable } from './invitation.service.ts';

/** Stores who invited a new account until it is verified, within the write of the registration. */
export async function planIntroduction(
  { trx }: Pick<WriteContext, 'trx'>,
  userId: string,
  inviterId: string,
): Promise<void> {
  await insertIntroduction(trx, userId, inviterId);
}

/**
 * Starts an accepted chat of a newly verified account with the user who invited it, within the write
 * of the verification. Does nothing if there is none, or if the inviter is no longer available.
 */
export async function completeIntroduction(write: WriteContext, userId: string): Promise<void> {
  const inviter = await findInviter(write.trx, userId);
  if (inviter === undefined) return;
  if (isInviterAvailable(inviter)) await introduce(write, userId, inviter.id);
  await deleteIntroduction(write.trx, userId);
}
