import { introduce } from '../chatrooms/consent.service.ts';
import type { WriteContext } from '../storage/storage.ts';
import { findInviter } from './invitation.repository.ts';
import { isInviterAvailable } from './invitation.service.ts';

/**
 * Starts an accepted chat of a newly verified account with the user whose invitation it used, within the
 * write of the verification. Returns the id of the chatroom; undefined without one, if the inviter is no longer
 * available.
 */
export async function introduceToInviter(
  write: WriteContext,
  userId: string,
  inviterId: string,
): Promise<string | undefined> {
  const inviter = await findInviter(write.trx, inviterId);
  if (inviter === undefined || !isInviterAvailable(inviter)) return undefined;
  return introduce(write, userId, inviterId);
}
