import type { ChatStatus } from '@parley/contract';
import type { Consent } from '../storage/tables/chatrooms.table.ts';

/** The stored status of a chat for one of its members. */
export interface MemberStatus {
  /** The member's consent to messages of the partner. */
  consent: Consent;
  /** 1 if messages arrive quietly until the member accepts the partner. */
  is_quiet: number;
  /** Since when the member blocks the partner; null if not. */
  blocked_at: number | null;
}

/** Returns the status of a chat for a member. */
export function toChatStatus(member: MemberStatus): ChatStatus {
  if (member.blocked_at !== null) return 'blocked';
  if (member.consent === 'requested') return isQuietRequest(member) ? 'request' : 'undecided';
  return member.consent === 'accepted' ? 'accepted' : 'none';
}

/** Returns whether a member has not accepted the partner, and first messages are quiet for the member. */
export function isQuietRequest(member: Pick<MemberStatus, 'consent' | 'is_quiet'>): boolean {
  return member.consent === 'requested' && member.is_quiet === 1;
}

/** Returns the fields that responses contain for requests and blocked chats only. */
export function toStatusFields(member: MemberStatus): {
  isRequest?: true;
  isUndecided?: true;
  isBlocked?: true;
} {
  const isUnaccepted = member.consent === 'requested';
  return {
    ...(isUnaccepted && (isQuietRequest(member) ? { isRequest: true } : { isUndecided: true })),
    ...(member.blocked_at !== null && { isBlocked: true }),
  };
}

/** The consent of the partner, as far as the member learns of it. Null without a partner. */
export interface PartnerConsentRow {
  partner_consent: Consent | null;
  partner_is_quiet: number | null;
}

/**
 * Returns the field of responses that tells a member that their messages arrive as a quiet request. The
 * same for one that the partner has declined, which the member must not notice.
 */
export function toSentAsRequestField(row: PartnerConsentRow): { isSentAsRequest?: true } {
  const { partner_consent: consent, partner_is_quiet: isQuiet } = row;
  const isSentAsRequest = consent !== null && consent !== 'accepted' && isQuiet === 1;
  return isSentAsRequest ? { isSentAsRequest } : {};
}
