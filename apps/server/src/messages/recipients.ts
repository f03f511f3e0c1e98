import { isReceiving } from '../relationships/relationship.ts';
import type { Relationship } from '../storage/relationships.ts';

/** What decides whether a member receives events about messages of the partner. */
export interface ReceivingMember extends Pick<Relationship, 'consent' | 'blocked_at'> {
  cleared_seq: number;
}

/** A message with the columns of its sender's partner. They are null without a partner. */
export interface MessageWithPartner extends Pick<
  Relationship,
  'partner_id' | 'partner_consent' | 'partner_blocked_at'
> {
  sender_id: string | null;
  seq: number;
  /** 1 if only the sender sees the message. */
  withheld: number;
  partner_cleared_seq: number | null;
  /** Up to which `seq` their own messages are deleted for the user and for the partner. */
  own_cleared_seq: number;
  partner_own_cleared_seq: number | null;
}

/**
 * Returns the users who receive events about a message: its sender, unless the sender has deleted the chat, and the
 * partner if the partner sees the message. A partner who blocks the sender receives none at all, so that the server does
 * the same for the sender as if the partner were offline.
 */
export function recipientsOf(message: MessageWithPartner): string[] {
  const { sender_id: senderId, partner_id: partnerId, partner_consent: consent } = message;
  const recipients = senderId === null || message.seq <= message.own_cleared_seq ? [] : [senderId];
  if (partnerId === null || consent === null) return recipients;
  const partner = {
    consent,
    blocked_at: message.partner_blocked_at,
    cleared_seq: message.partner_cleared_seq ?? 0,
  };
  return isToldOf(partner, message) ? [...recipients, partnerId] : recipients;
}

/** Returns the users who receive events about a user's reaction to a message that the user sees. */
export function reactionRecipientsOf(message: MessageWithPartner, userId: string): string[] {
  const { sender_id: senderId, partner_id: partnerId } = message;
  if (senderId === userId) return recipientsOf(message);
  const others = recipientsOf({
    ...message,
    sender_id: null,
    withheld: 0,
    partner_cleared_seq: message.partner_own_cleared_seq,
  });
  return senderId === partnerId ? [userId, ...others] : [userId];
}

/** Returns whether a member receives events about a message of the partner. */
export function isToldOf(
  member: ReceivingMember,
  { seq, withheld }: Pick<MessageWithPartner, 'seq' | 'withheld'>,
): boolean {
  return isReceiving(member) && withheld === 0 && seq > member.cleared_seq;
}
