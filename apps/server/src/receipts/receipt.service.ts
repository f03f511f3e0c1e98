import {
  lockChatroom,
  tellMemberChange,
  type tellChat,
} from '../chat-states/chat-state.service.ts';
import { isPartnerToldReceipts, isWithheld } from '../relationships/relationship.ts';
import type { WriteContext } from '../storage/storage.ts';
import * as repository from './receipt.repository.ts';

/**
 * Tells the partner up to where the member has read, and up to where messages have reached a device of
 * the member. Positions never move back, and are never beyond the newest message that the member may
 * see. Nothing is told while the member blocks the partner, has not accepted them or does not share
 * receipts. A partner who blocks the member gets no event, which the member does not notice.
 */
export async function tellReceipt(
  write: WriteContext,
  chatroomId: string,
  userId: string,
  receipt: Partial<repository.Receipt>,
): Promise<void> {
  const { state, hasAdvanced } = await advancePositions(write, chatroomId, userId, receipt);
  const partnerId = state?.partner_id ?? null;
  if (state === undefined || partnerId === null || !hasAdvanced) return;
  await tellMemberChange(write, {
    chatroomId,
    userId: partnerId,
    isTold: isPartnerToldReceipts(state),
    isWithheld: isWithheld(state),
  });
}

/**
 * Tells the partner that the member, who has just accepted them, has done so and what the member has read before. A
 * partner who blocks the member gets no event.
 * @param tell `tellChat` if the member has accepted by a message, whose revision makes it a new state
 */
export async function tellAcceptance(
  write: WriteContext,
  chatroomId: string,
  userId: string,
  readSeq: number,
  tell: typeof tellChat = tellMemberChange,
): Promise<void> {
  const { state } = await advancePositions(write, chatroomId, userId, { readSeq });
  const partnerId = state?.partner_id ?? null;
  if (state === undefined || partnerId === null) return;
  await tell(write, {
    chatroomId,
    userId: partnerId,
    isTold: state.partner_blocked_at === null,
    isWithheld: isWithheld(state),
  });
}

/**
 * Advances the positions of a member, as {@link tellReceipt} does, without telling the partner. Returns who may be
 * told, and whether anything has changed.
 */
export async function advancePositions(
  { trx }: WriteContext,
  chatroomId: string,
  userId: string,
  { deliveredSeq = 0, readSeq = 0 }: Partial<repository.Receipt>,
): Promise<{ state?: repository.ReceiptState; hasAdvanced: boolean }> {
  await lockChatroom(trx, { chatroomId });
  const state = await repository.findReceiptState(trx, { chatroomId, userId });
  if (state === undefined) return { hasAdvanced: false };
  const advanced = await repository.advanceReceipt(trx, {
    chatroomId,
    userId,
    deliveredSeq: visiblePosition(state, Math.max(deliveredSeq, readSeq)),
    readSeq: visiblePosition(state, readSeq),
  });
  return { state, hasAdvanced: advanced !== undefined };
}

/** Messages of the latest block never reach the member, so a position is never among them. */
function visiblePosition(state: repository.ReceiptState, seq: number): number {
  const { last_seq: lastSeq, block_start_seq: start, block_end_seq: end } = state;
  const position = Math.min(seq, lastSeq);
  return position > start && position <= end ? start : position;
}
