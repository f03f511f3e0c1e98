import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { queueAccountErasure, queueFileErasure } from '../erasure/erasure.service.ts';
import { detachReporter } from '../reports/report.service.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import {
  deleteDependentRows,
  deleteExportRows,
  anonymizeUser,
  findOtherEmails,
  keepUnarchived,
} from './account-deletion.repository.ts';

/**
 * Ends an account within a write: removes its sessions, username and email address and hides its
 * messages from its partners. The eraser tells the partners and deletes the rest in batches afterwards.
 * Partners keep their chatrooms with their own messages. Does nothing if the account has already ended.
 */
export async function endAccount(write: WriteContext, userId: string): Promise<void> {
  const { trx } = write;
  const otherEmails = await findOtherEmails(trx, userId);
  const email = await anonymizeUser(trx, userId, Date.now());
  if (email === undefined) return;
  await endSessionsOf(write, userId, 'account-deleted');
  await deleteDependentRows(trx, userId);
  await keepUnarchived(trx, userId);
  await detachReporter(trx, userId);
  for (const file of await deleteExportRows(trx, userId)) await queueFileErasure(write, file);
  await queueAccountErasure(write, userId, [email, ...otherEmails]);
}

/** Deletes an account. Resolves once it has ended; its data is erased in the background. */
export async function deleteAccount(ctx: Pick<Context, 'storage'>, userId: string): Promise<void> {
  await ctx.storage.write((write) => endAccount(write, userId));
}
