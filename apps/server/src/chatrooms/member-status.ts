import type { ChatStatus } from '@parley/contract';
import type { Consent } from '../storage/tables/chatrooms.table.ts';

/** The stored status of a chat for one of its members. */
export interface MemberStatus {
  /** The member's consent to messages of the partner. */
  consent: Consent;
  /** Since when the member blocks the partner; null if not. */
  blocked_at: number | null;
}

/** Returns the status of a chat for a member. */
export function toChatStatus({ consent, blocked_at: blockedAt }: MemberStatus): ChatStatus {
  if (blockedAt !== null) return 'blocked';
  return STATUS[consent];
}

const STATUS = { accepted: 'accepted', requested: 'request', declined: 'none' } as const;

/** Returns the fields that responses contain for requests and blocked chats only. */
export function toStatusFields({ consent, blocked_at: blockedAt }: MemberStatus): {
  isRequest?: true;
  isBlocked?: true;
} {
  return {
    ...(consent === 'requested' && { isRequest: true }),
    ...(blockedAt !== null && { isBlocked: true }),
  };
}
