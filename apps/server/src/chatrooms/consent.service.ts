import { DELETED_USER, type BlockedList } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { hasAccepted, hasChatroom } from '../relationships/relationship.ts';
import { newId } from '../storage/ids.ts';
import { findRelationshipTo } from '../storage/relationships.ts';
import type { WriteContext } from '../storage/storage.ts';
import { tellReceipt } from '../receipts/receipt.service.ts';
import { toTimestamp } from '../messages/message-view.service.ts';
import { toChatStatus } from './member-status.ts';
import { insertChatroom, lockChatroom } from './chatroom.repository.ts';
import * as repository from './consent.repository.ts';

// Consent belongs to a membership. No function here changes the chatroom's revision. The partner is told that the user
// has accepted, and receipts begin. Everything else emits no event to the partner, who cannot notice it.

type Change = repository.MemberChange;

/**
 * Accepts the partner of a chatroom.
 * @throws {AppError} `room_not_found`, `partner_blocked`
 */
export function acceptChat(ctx: Context, userId: string, chatroomId: string): Promise<void> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    if (!hasChatroom(member)) throw new AppError('room_not_found');
    return accept(member);
  });
}

/**
 * Accepts the partner of a chatroom who has written first, unless the user has declined that meanwhile.
 * @throws {AppError} `room_not_found`, `partner_blocked`
 */
export function acceptRequest(ctx: Context, userId: string, chatroomId: string): Promise<void> {
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
export function declineRequest(ctx: Context, userId: string, chatroomId: string): Promise<void> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    const { last_seq: seq } = member;
    if (hasAccepted(member)) throw new AppError('already_accepted');
    if (!hasChatroom(member)) return undefined;
    return { consent: 'declined', cleared_seq: seq, read_seq: seq, ...withoutSettings(member) };
  });
}

/** Returns the change that resets the settings of a chat. The partner's next message begins a new one. */
function withoutSettings(member: repository.MemberRow): Change {
  const { is_pinned, archived_seq, muted_until, is_marked_unread, settings_version } = member;
  const isDefault =
    is_pinned === 0 && archived_seq === null && muted_until === null && is_marked_unread === 0;
  if (isDefault) return {};
  return {
    is_pinned: 0,
    archived_seq: null,
    muted_until: null,
    is_marked_unread: 0,
    settings_version: settings_version + 1,
  };
}

/**
 * Blocks the partner. No message that the partner sends or edits from now on reaches the user, even
 * if the user unblocks the partner later.
 * @throws {AppError} `room_not_found`
 */
export function blockPartner(ctx: Context, userId: string, chatroomId: string): Promise<void> {
  return changeMember(ctx, userId, chatroomId, (member): Change | undefined => {
    if (member.blocked_at !== null) return undefined;
    const { last_seq: seq, block_end_seq: end, block_start_seq: start } = member;
    // A block right after another one continues it.
    return {
      blocked_at: Date.now(),
      read_seq: seq,
      block_start_seq: end === seq ? start : seq,
      // Another chat can take its place.
      ...(member.is_pinned === 1 && {
        is_pinned: 0,
        settings_version: member.settings_version + 1,
      }),
    };
  });
}

/**
 * Unblocks the partner. The chat is what it was before the block, but no longer pinned.
 * @throws {AppError} `room_not_found`
 */
export function unblockPartner(ctx: Context, userId: string, chatroomId: string): Promise<void> {
  return changeMember(ctx, userId, chatroomId, ({ blocked_at: blockedAt, last_seq: seq }) =>
    // Nothing that arrived during the block is unread.
    blockedAt === null ? undefined : { blocked_at: null, read_seq: seq, block_end_seq: seq },
  );
}

/**
 * Changes the user's consent or block, and notifies the user's devices. Does nothing if
 * `decide` returns undefined. The lock orders the change among messages being sent.
 * @throws {AppError} `room_not_found`
 */
function changeMember(
  { storage }: Context,
  userId: string,
  chatroomId: string,
  decide: (member: repository.MemberRow) => Change | undefined,
): Promise<void> {
  return storage.write(
    async (write) => {
      const { trx, emit } = write;
      await lockChatroom(trx, { chatroomId });
      const member = await repository.findMember(trx, { chatroomId, userId });
      if (member === undefined) throw new AppError('room_not_found');
      const change = decide(member);
      if (change === undefined) return;
      await repository.updateMember(trx, chatroomId, userId, change);
      const status = toChatStatus(Object.assign(member, change));
      // What the user has read of the request.
      if (change.consent === 'accepted') {
        await tellReceipt(write, chatroomId, userId, { readSeq: member.read_seq });
        const { partner_id: partnerId } = member;
        if (partnerId !== null) emit({ type: 'chat-accepted', userId: partnerId, chatroomId });
      }
      emit({ type: 'chat-status', userId, chatroomId, status });
    },
    { isConcurrent: true },
  );
}

/**
 * Makes two users accept each other, within a write that is not concurrent, and creates their
 * chatroom if they have none. A block stays. Returns the chatroom's id.
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
    // What the member has read before.
    const { user_id: memberId, read_seq: readSeq } = member;
    if (!hasAccepted(member)) await tellReceipt(write, chatroomId, memberId, { readSeq });
  }
  for (const { user_id: memberId, blocked_at: blockedAt } of members) {
    // The devices of a user who blocks the partner must not show the chatroom.
    if (blockedAt !== null) continue;
    emit({ type: 'chat-accepted', userId: memberId, chatroomId });
    emit({ type: 'chat-status', userId: memberId, chatroomId, status: 'accepted' });
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
