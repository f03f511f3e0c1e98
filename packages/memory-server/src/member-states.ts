import { cutExcerpt, type ChatSettings, type ChatState, type ChatStatus } from '@parley/contract';
import { isShownTo, toLastReaction, visibleMessages, wireContent } from './message-views.ts';
import { emit, toTimestamp, type Member, type State, type StoredMessage } from './state.ts';
import { isArchived, isQuietRequest, unreadCount, viewOf, type View } from './views.ts';

/** Tells the devices of a member the state of a chat after it has changed for the member only. Returns the state. */
export function tellMemberChange(state: State, view: View): ChatState {
  view.me.memberRev += 1;
  return tellChat(state, view);
}

/** Lists a chat again that the member deleted. */
export function listAgain(state: State, view: View): void {
  if (!view.me.isRemoved) return;
  view.me.isRemoved = false;
  tellMemberChange(state, view);
}

/** Like {@link tellMemberChange}, after a change that has a new revision of the chatroom. */
export function tellChat(state: State, view: View): ChatState {
  const payload = toChatState(state, view);
  emit(state, [view.me.accountId], { name: 'chat', payload });
  return payload;
}

/** Converts a chatroom to what its member sees. */
export function toChatState(state: State, view: View): ChatState {
  const { room, me, partner, partnerAccount } = view;
  const last = visibleMessages(state, room, me.accountId).at(-1);
  const isSentAsRequest = partnerAccount && partner.consent !== 'accepted' && partner.isQuiet;
  const settings = settingsOf(view);
  return {
    chatId: room.id,
    rev: room.lastRev,
    memberRev: me.memberRev,
    usernames: partnerAccount ? [partnerAccount.username] : [],
    isDeletedAccount: partnerAccount === undefined,
    status: statusOf(me),
    ...(isSentAsRequest && { isSentAsRequest }),
    lastMessage: last
      ? {
          content: cutExcerpt(wireContent(state, last), 1_000),
          sender: last.senderId,
          kind: last.kind,
          seq: last.seq,
        }
      : null,
    currentUserId: me.accountId,
    timestamps: last ? [toTimestamp(last.createdAt)] : [],
    activeAt: toTimestamp(last?.createdAt ?? room.createdAt),
    ...lastReactionField(view, last),
    unreadMessagesCount: unreadCount(state, view),
    readSeq: me.readSeq,
    ...(me.clearedSeq > 0 && { clearedSeq: me.clearedSeq }),
    ...(me.ownClearedSeq > 0 && { ownClearedSeq: me.ownClearedSeq }),
    ...(me.isRemoved && { isRemoved: true }),
    ...receiptFields(state, view),
    ...(partnerAccount &&
      me.invitationAcceptedAt !== undefined && {
        invitationAcceptedAt: toTimestamp(me.invitationAcceptedAt),
      }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function statusOf(member: Member): ChatStatus {
  if (member.blockedAt !== undefined) return 'blocked';
  if (member.consent === 'requested') return isQuietRequest(member) ? 'request' : 'undecided';
  return member.consent === 'accepted' ? 'accepted' : 'none';
}

function lastReactionField({ room, me, partnerAccount }: View, last: StoredMessage | undefined) {
  const reaction = me.lastReaction;
  const reacted = room.messages.find(({ id }) => id === reaction?.messageId);
  if (!reaction || !reacted || !partnerAccount || (last?.seq ?? 0) > reaction.seq) return {};
  if (!isShownTo(me, reacted)) return {};
  return { lastReaction: toLastReaction(reacted, reaction.emoji, reaction.at) };
}

function receiptFields(state: State, { me, partner }: View) {
  const account = state.accounts.get(me.accountId);
  const isTold = me.consent === 'accepted' && me.blockedAt === undefined && account?.sharesReceipts;
  // The positions stay after the partner has deleted the account.
  if (!isTold || partner.deliveredSeq === 0) return {};
  return { partnerDeliveredSeq: partner.deliveredSeq, partnerReadSeq: partner.seenSeq };
}

function settingsOf(view: View): ChatSettings {
  const { me, partnerAccount } = view;
  return {
    ...(me.isPinned && partnerAccount && { isPinned: true, pinRank: me.pinRank }),
    ...(isArchived(view) && { isArchived: true }),
    ...(me.mutedUntil !== undefined && { mutedUntil: toTimestamp(me.mutedUntil) }),
    ...(me.isMarkedUnread && { isMarkedUnread: true }),
  };
}

/** Tells the partner up to where a member has received and read messages, as far as both share it. */
export function tellReceipt(
  state: State,
  view: View,
  receipt: { deliveredSeq?: number; readSeq?: number },
): void {
  const { partner, partnerAccount } = view;
  const isTold =
    partner.consent === 'accepted' &&
    partner.blockedAt === undefined &&
    partnerAccount?.sharesReceipts === true;
  if (advance(state, view, receipt) && isTold) tellMemberChange(state, partnerViewOf(state, view));
}

/** Tells the partner that a member has accepted them, and what the member has read before. */
export function tellAcceptance(
  state: State,
  view: View,
  readSeq: number,
  tell = tellMemberChange,
): void {
  advance(state, view, { readSeq });
  if (view.partnerAccount && view.partner.blockedAt === undefined) {
    tell(state, partnerViewOf(state, view));
  }
}

/** Advances the positions of a member. Returns whether they have changed. */
export function advance(
  state: State,
  { room, me }: View,
  { deliveredSeq = 0, readSeq = 0 }: { deliveredSeq?: number; readSeq?: number },
): boolean {
  const account = state.accounts.get(me.accountId);
  if (me.consent !== 'accepted' || me.blockedAt !== undefined || !account?.sharesReceipts) {
    return false;
  }
  const toVisible = (seq: number): number => {
    const position = Math.min(seq, room.lastSeq);
    const isInBlock = position > me.blockStartSeq && position <= me.blockEndSeq;
    return isInBlock ? me.blockStartSeq : position;
  };
  const delivered = Math.max(me.deliveredSeq, toVisible(Math.max(deliveredSeq, readSeq)));
  const seen = Math.max(me.seenSeq, toVisible(readSeq));
  if (delivered === me.deliveredSeq && seen === me.seenSeq) return false;
  me.deliveredSeq = delivered;
  me.seenSeq = seen;
  return true;
}

/** Returns the chatroom as the partner sees it. */
export function partnerViewOf(state: State, { room, partner }: View): View {
  return viewOf(state, room, partner.accountId);
}
