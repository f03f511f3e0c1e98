import { acceptsFirstMessages } from '@parley/contract';
import { AppError } from '../errors/app-error.ts';
import type { Relationship } from '../storage/relationships.ts';

// What two users may do and learn of each other. A user must not notice that the partner has blocked them: what the
// user sees may depend on `partner_blocked_at` only where it equally depends on settings of the partner.

type Columns<Column extends keyof Relationship> = Pick<Relationship, Column>;

/** Returns whether the chatroom exists for the user: they have not declined it. */
export function hasChatroom({ consent }: Columns<'consent'>): boolean {
  return consent !== 'declined';
}

/** Returns whether the user has written to the partner or accepted the partner. */
export function hasAccepted({ consent }: Columns<'consent'>): boolean {
  return consent === 'accepted';
}

/** Returns whether both have accepted each other. */
export function haveAccepted(row: Columns<'consent' | 'partner_consent'>): boolean {
  return hasAccepted(row) && row.partner_consent === 'accepted';
}

/** Returns whether the user is told of new and changed messages of the partner. */
export function isReceiving(row: Columns<'consent' | 'blocked_at'>): boolean {
  return hasChatroom(row) && row.blocked_at === null;
}

/** Returns whether the user has not accepted the partner, whose first messages are quiet for the user. */
export function isQuietRequest(row: Columns<'consent' | 'is_quiet'>): boolean {
  return row.consent === 'requested' && row.is_quiet === 1;
}

/** Returns whether the partner has not accepted the user, whose messages are quiet for the partner. */
export function isSentAsRequest(row: Columns<'partner_consent' | 'partner_is_quiet'>): boolean {
  const { partner_consent: consent, partner_is_quiet: isQuiet } = row;
  // The user must not notice that the partner has declined the request.
  return consent !== null && consent !== 'accepted' && isQuiet === 1;
}

/** Returns whether the user is told receipts of the partner, and lets the partner be told theirs. */
export function isToldReceipts(
  row: Columns<'consent' | 'blocked_at' | 'shares_receipts'>,
): boolean {
  return hasAccepted(row) && row.blocked_at === null && row.shares_receipts === 1;
}

/** Returns whether the partner is told receipts, as {@link isToldReceipts} does for the user. */
export function isPartnerToldReceipts<Row extends Relationship>(
  row: Row,
): row is Row & { partner_id: string } {
  return (
    row.partner_id !== null &&
    row.partner_consent === 'accepted' &&
    row.partner_blocked_at === null &&
    row.partner_shares_receipts === 1
  );
}

/** Returns whether the partner is told that the user is typing, and the other way around. */
export function areToldTyping(row: Relationship): boolean {
  return arePartners(row) && row.shares_typing === 1 && row.partner_shares_typing === 1;
}

/** What decides whether both are told each other's presence. */
export type PresenceColumns = Columns<
  | PairColumn
  | 'shares_presence'
  | 'suspended_at'
  | 'partner_shares_presence'
  | 'partner_suspended_at'
>;

/** Returns whether both are told when the other one is online and was last seen. */
export function areToldPresence(row: PresenceColumns): boolean {
  const areSharing = row.shares_presence === 1 && row.partner_shares_presence === 1;
  const areActive = row.suspended_at === null && row.partner_suspended_at === null;
  return arePartners(row) && areSharing && areActive;
}

type PairColumn =
  | 'consent'
  | 'blocked_at'
  | 'partner_id'
  | 'partner_consent'
  | 'partner_blocked_at';

/** Returns whether both have accepted and neither blocks the other. */
function arePartners(row: Columns<PairColumn>): boolean {
  const isBlocked = row.blocked_at !== null || row.partner_blocked_at !== null;
  return row.partner_id !== null && haveAccepted(row) && !isBlocked;
}

/**
 * Asserts that the user can send and change messages.
 * @throws {AppError} `partner_deleted`, `partner_blocked`
 */
export function assertCanWrite<Row extends Columns<'partner_id' | 'blocked_at'>>(
  row: Row,
): asserts row is Row & { partner_id: string } {
  if (row.partner_id === null) throw new AppError('partner_deleted');
  if (row.blocked_at !== null) throw new AppError('partner_blocked');
}

/**
 * Asserts that the user can react to messages.
 * @throws {AppError} `partner_deleted`, `partner_blocked`, `request_not_accepted`
 */
export function assertCanReact(row: Columns<'partner_id' | 'blocked_at' | 'consent'>): void {
  assertCanWrite(row);
  if (!hasAccepted(row)) throw new AppError('request_not_accepted');
}

/**
 * Returns whether only the user may see a new message of the user: the partner has blocked the user, or has
 * deleted the user's request and accepts no new ones.
 */
export function isWithheld(
  row: Columns<'partner_blocked_at' | 'partner_consent' | 'partner_who_may_write'>,
): boolean {
  const { partner_who_may_write: setting } = row;
  const isOpen = setting !== null && acceptsFirstMessages(setting);
  return row.partner_blocked_at !== null || (row.partner_consent === 'declined' && !isOpen);
}

/**
 * Returns whether messages to a partner who has not accepted the user are a quiet request: as the partner's setting
 * says now, or else as it was when the last one arrived. A block and a declined request change nothing about it, since
 * the user is told.
 */
export function arrivesQuietly(
  row: Columns<'partner_who_may_write' | 'partner_is_quiet'>,
): boolean {
  if (row.partner_who_may_write === 'everyone') return false;
  return row.partner_who_may_write === 'requests' || row.partner_is_quiet === 1;
}

/** Returns whether a user can find another one, to whom they may have a relationship. */
export function canFind(
  found: { is_discoverable: number; suspended_at: number | null },
  relationship: Columns<'consent'> | undefined,
): boolean {
  const isHidden = found.is_discoverable === 0 || found.suspended_at !== null;
  return !isHidden || (relationship !== undefined && hasChatroom(relationship));
}
