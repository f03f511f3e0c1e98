import type { ChatStatus } from '@parley/contract';
import { isQuietRequest, isSentAsRequest } from '../relationships/relationship.ts';
import type { Relationship } from '../storage/relationships.ts';

/** The stored status of a chat for one of its members. */
export type MemberStatus = Pick<Relationship, 'consent' | 'is_quiet' | 'blocked_at'>;

/** Returns the status of a chat for a member. */
export function toChatStatus(member: MemberStatus): ChatStatus {
  if (member.blocked_at !== null) return 'blocked';
  if (member.consent === 'requested') return isQuietRequest(member) ? 'request' : 'undecided';
  return member.consent === 'accepted' ? 'accepted' : 'none';
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

/** Returns the field of responses that tells a member that their messages arrive as a quiet request. */
export function toSentAsRequestField(
  row: Pick<Relationship, 'partner_consent' | 'partner_is_quiet'>,
): { isSentAsRequest?: true } {
  return isSentAsRequest(row) ? { isSentAsRequest: true } : {};
}
