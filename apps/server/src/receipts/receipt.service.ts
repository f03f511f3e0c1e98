import { isPartnerToldReceipts, isToldReceipts } from '../relationships/relationship.ts';
import type { Relationship } from '../storage/relationships.ts';
import type { WriteContext } from '../storage/storage.ts';
import * as repository from './receipt.repository.ts';

/**
 * Tells the partner up to where the member has read, and up to where messages have reached a device of
 * the member. Positions never move back, and are never beyond the newest message that the member may
 * see. Nothing is told while the member blocks the partner, has not accepted them or does not share
 * receipts. A partner who blocks the member gets no event, which the member does not notice.
 */
export async function tellReceipt(
  { trx, emit }: WriteContext,
  chatroomId: string,
  userId: string,
  { deliveredSeq = 0, readSeq = 0 }: Partial<repository.Receipt>,
): Promise<void> {
  const state = await repository.findReceiptState(trx, { chatroomId, userId });
  if (state === undefined) return;
  const told = await repository.advanceReceipt(trx, {
    chatroomId,
    userId,
    deliveredSeq: visiblePosition(state, Math.max(deliveredSeq, readSeq)),
    readSeq: visiblePosition(state, readSeq),
  });
  if (told !== undefined && isPartnerToldReceipts(state)) {
    emit({ type: 'receipt-changed', userId: state.partner_id, chatroomId, ...told });
  }
}

/** What a member gets to know about the partner's receipts. */
export interface ReceiptRow extends Pick<
  Relationship,
  'consent' | 'blocked_at' | 'shares_receipts'
> {
  /** The partner's positions, also after the partner has deleted the account. */
  partner_delivered_seq: number;
  partner_seen_seq: number;
}

/** Returns the fields of responses that contain the partner's positions, if the member is told them. */
export function toReceiptFields(row: ReceiptRow): {
  partnerDeliveredSeq?: number;
  partnerReadSeq?: number;
} {
  const { partner_delivered_seq: delivered, partner_seen_seq: seen } = row;
  if (!isToldReceipts(row) || delivered === 0) return {};
  return { partnerDeliveredSeq: delivered, partnerReadSeq: seen };
}

/** Messages of the latest block never reach the member, so a position is never among them. */
function visiblePosition(state: repository.ReceiptState, seq: number): number {
  const { last_seq: lastSeq, block_start_seq: start, block_end_seq: end } = state;
  const position = Math.min(seq, lastSeq);
  return position > start && position <= end ? start : position;
}
