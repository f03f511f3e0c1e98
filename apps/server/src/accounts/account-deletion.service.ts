import { tellChats, tellMemberChange } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import type { WriteContext } from '../storage/storage.ts';
import { isReceiving } from '../relationships/relationship.ts';
import { queueAccountErasure } from '../erasure/erasure.service.ts';
import { detachReporter } from '../reports/report.service.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import {
  deleteDependentRows,
  anonymizeUser,
  findSharedChatrooms,
  keepUnarchived,
} from './account-deletion.repository.ts';

/** A chatroom of an account, and its partner. */
export interface EndedChatroom {
  readonly chatroomId: string;
  readonly partnerId: string;
  /** False if the partner has blocked the account or declined its request. */
  readonly isTold: boolean;
}

/**
 * Ends an account within a write: removes its sessions, username and email address and hides its
 * messages from its partners. The eraser deletes the rest in batches afterwards. Partners keep
 * their chatrooms with their own messages. Does nothing if the account has already ended.
 * Returns the chatrooms whose members must be told by {@link tellPartners}.
 */
export async function endAccount(
  write: WriteContext,
  userId: string,
): Promise<readonly EndedChatroom[]> {
  const { trx } = write;
  const email = await anonymizeUser(trx, userId, Date.now());
  if (email === undefined) return [];
  await endSessionsOf(write, userId, 'account-deleted');
  await deleteDependentRows(trx, userId);
  await keepUnarchived(trx, userId);
  await detachReporter(trx, userId);
  await queueAccountErasure(write, userId, email);
  return (await findSharedChatrooms(trx, userId)).map((row) => ({
    chatroomId: row.chatroom_id,
    partnerId: row.user_id,
    isTold: isReceiving(row),
  }));
}

/** Tells the former partners of an account that it has ended. Those who are not told take the same time. */
export async function tellPartners(
  { storage }: Pick<Context, 'storage'>,
  shared: readonly EndedChatroom[],
): Promise<void> {
  const told = shared.map(({ partnerId: userId, ...room }) => ({ ...room, userId }));
  await tellChats(storage, told, tellMemberChange);
}

/** Deletes an account. Resolves once it has ended; its data is erased in the background. */
export async function deleteAccount(ctx: Pick<Context, 'storage'>, userId: string): Promise<void> {
  await tellPartners(ctx, await ctx.storage.write((write) => endAccount(write, userId)));
}
