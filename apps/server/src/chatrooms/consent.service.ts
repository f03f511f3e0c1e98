import { DELETED_USER, type BlockedList } from '@parley/contract';
import {
  findChatState,
  lockChatroom,
  tellMemberChange,
  toViewedChat,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { queueChatroomErasure } from '../erasure/erasure.service.ts';
import { hasAccepted, hasChatroom } from '../relationships/relationship.ts';
import { newId } from '../storage/ids.ts';
import { findRelationshipTo } from '../storage/relationships.ts';
import type { WriteContext, Writer } from '../storage/storage.ts';
import { advancePositions, tellAcceptance } from '../receipts/receipt.service.ts';
import { toTimestamp, type ViewedChat } from '../viewed-message.ts';
import { insertChatroom } from './chatroom.repository.ts';
import * as repository from './consent.repository.ts';

export { updateMember } from './consent.repository.ts';

// Consent belongs to a membership. No function here changes the chatroom's revision. The partner is told that the user
// has accepted, and receipts begin. Everything else changes nothing for the partner, who cannot notice it.

type Change = repository.MemberChange;

/**
 * Accepts the partner of a chatroom.
 * @throws {AppError} `room_not_found`, `partner_blocked`
 */
export function acceptChat(ctx: Context, userId: string, chatroomId: string): Promise<ViewedChat> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    if (!hasChatroom(member)) throw new AppError('room_not_found');
    return accept(member);
  });
}

/**
 * Accepts the partner of a chatroom who has written first, unless the user has declined that meanwhile.
 * @throws {AppError} `room_not_found`, `partner_blocked`
 */
export function acceptRequest(
  ctx: Context,
  userId: string,
  chatroomId: string,
): Promise<ViewedChat> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined =>
    member.consent === 'requested' ? accept(member) : undefined,
  );
}

/** Another device of the user, or the same one, may have blocked the partner at the same time. */
function accept(member: repository.MemberRow): Change | undefined {
  if (member.blocked_at !== null) throw new AppError('partner_blocked');
  return hasAccepted(member) ? undefined : { consent: 'accepted' };
}

/**
 * Deletes a request for the user. The next message of the partner is a new request.
 * @throws {AppError} `room_not_found`, `already_accepted`
 */
export function declineRequest(
  ctx: Context,
  userId: string,
  chatroomId: string,
): Promise<ViewedChat> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    const { last_seq: seq } = member;
    if (hasAccepted(member)) throw new AppError('already_accepted');
    if (!hasChatroom(member)) return undefined;
    // The partner's next message begins a new chat.
    const settings = { is_pinned: 0, archived_seq: null, muted_until: null, is_marked_unread: 0 };
    return { consent: 'declined', cleared_seq: seq, ...settings };
  });
}

/**
 * Blocks the partner. No message that the partner sends or edits from now on reaches the user, even
 * if the user unblocks the partner later.
 * @throws {AppError} `room_not_found`
 */
export function blockPartner(
  ctx: Context,
  userId: string,
  chatroomId: string,
): Promise<ViewedChat> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    if (member.blocked_at !== null) return undefined;
    const { last_seq: seq, block_end_seq: end, block_start_seq: start } = member;
    // A block right after another one continues it.
    return {
      blocked_at: Date.now(),
      read_seq: seq,
      block_start_seq: end === seq ? start : seq,
      // Another chat can take its place.
      is_pinned: 0,
    };
  });
}

/**
 * Unblocks the partner. The chat is what it was before the block, but no longer pinned.
 * @throws {AppError} `room_not_found`
 */
export function unblockPartner(
  ctx: Context,
  userId: string,
  chatroomId: string,
): Promise<ViewedChat> {
  return changeMember(ctx, userId, chatroomId, ({ blocked_at: blockedAt, last_seq: seq }) =>
    // Nothing that arrived during the block is unread.
    blockedAt === null ? undefined : { blocked_at: null, read_seq: seq, block_end_seq: seq },
  );
}

/**
 * Changes the user's consent or block, and tells the user's devices. Does nothing if `decide` returns undefined.
 * Returns the state of the chat. The lock orders the change among messages being sent.
 * @throws {AppError} `room_not_found`
 */
function changeMember(
  { storage }: Context,
  userId: string,
  chatroomId: string,
  decide: (member: repository.MemberRow) => Change | undefined,
): Promise<ViewedChat> {
  return storage.write(
    async (write) => {
      const { trx, emit } = write;
      await lockChatroom(trx, { chatroomId });
      const member = await repository.findMember(trx, { chatroomId, userId });
      if (member === undefined) throw new AppError('room_not_found');
      const change = decide(member);
      if (change === undefined) return viewChat(trx, userId, chatroomId);
      await repository.updateMember(trx, chatroomId, userId, change);
      // The partner may have deleted the chat.
      if (change.consent === 'declined') await queueChatroomErasure(write, chatroomId);
      // What the user has read of the request.
      if (change.consent === 'accepted') {
        await tellAcceptance(write, chatroomId, userId, member.read_seq);
      }
      emit({ type: 'relationship-changed', userId, chatroomId });
      const chat = await tellMemberChange(write, { chatroomId, userId });
      if (chat === undefined) throw new AppError('room_not_found');
      return chat;
    },
    { isConcurrent: true },
  );
}

async function viewChat(trx: Writer, userId: string, chatroomId: string): Promise<ViewedChat> {
  const row = await findChatState(trx, { chatroomId, userId });
  if (row === undefined) throw new AppError('room_not_found');
  return toViewedChat(row);
}

/**
 * Makes a user and the inviter accept each other, within a write that is not concurrent, and creates their
 * chatroom if they have none. A block stays. The inviter is told that the invitation was accepted, unless
 * either has blocked the other. Returns the chatroom's id.
 */
export async function introduce(
  write: WriteContext,
  userId: string,
  inviterId: string,
): Promise<string> {
  const { trx, emit } = write;
  const pair = await findRelationshipTo(trx, userId, inviterId);
  const chatroomId = pair?.chatroom_id ?? newId();
  if (pair === undefined) {
    await insertChatroom(trx, {
      id: chatroomId,
      userId,
      partnerId: inviterId,
      partnerConsent: 'accepted',
      now: Date.now(),
    });
  }
  await lockChatroom(trx, { chatroomId });
  const found = [
    await repository.findMember(trx, { chatroomId, userId }),
    await repository.findMember(trx, { chatroomId, userId: inviterId }),
  ];
  const members = found.filter((member) => member !== undefined);
  await repository.acceptBoth(trx, chatroomId);
  for (const member of members) {
    const { user_id: memberId, read_seq: readSeq } = member;
    // What the member has read before.
    if (!hasAccepted(member)) await advancePositions(write, chatroomId, memberId, { readSeq });
  }
  const inviter = members.find(({ user_id: memberId }) => memberId === inviterId);
  const isTold = inviter?.blocked_at === null && inviter.partner_blocked_at === null;
  const acceptance = {
    chatroomId,
    userId: inviterId,
    now: Date.now(),
    isTold: isTold ? 1 : 0,
  } as const;
  await repository.recordAcceptedInvitation(trx, acceptance);
  for (const { user_id: memberId, blocked_at: blockedAt } of members) {
    emit({ type: 'relationship-changed', userId: memberId, chatroomId });
    // The devices of a user who blocks the partner must not show the chatroom.
    await tellMemberChange(write, { chatroomId, userId: memberId, isTold: blockedAt === null });
  }
  if (isTold) {
    const { userId: toldId, now: acceptedAt } = acceptance;
    emit({ type: 'invitation-accepted', userId: toldId, chatroomId, acceptedAt });
  }
  return chatroomId;
}

/** Returns the users that the current user has blocked, most recently blocked first. */
export async function listBlocked({ storage }: Context, userId: string): Promise<BlockedList> {
  const rows = await storage.read((db) => repository.findBlocked(db, userId));
  return {
    blocked: rows.map((row) => ({
      chatId: row.id,
      username: row.partner_name ?? DELETED_USER,
      isDeletedAccount: row.partner_name === null,
      blockedAt: toTimestamp(row.blocked_at),
    })),
  };
}
