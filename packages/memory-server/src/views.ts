import { LIMITS, usernameKey } from '@parley/contract';
import { isShownToPartner, visibleMessages } from './message-views.ts';
import { Refusal } from './refusal.ts';
import type { Account, Member, ServerChatroom, State } from './state.ts';

/** A chatroom as seen by one of its members. */
export interface View {
  room: ServerChatroom;
  me: Member;
  partner: Member;
  /** Undefined if the partner's account was deleted. */
  partnerAccount: Account | undefined;
}

/** Returns a chatroom as seen by a member, even if the member declined the request. */
export function viewOf(state: State, room: ServerChatroom, accountId: string): View {
  const [first, second] = room.members;
  const [me, partner] = first.accountId === accountId ? [first, second] : [second, first];
  return { room, me, partner, partnerAccount: state.accounts.get(partner.accountId) };
}

function isMember({ members }: ServerChatroom, accountId: string): boolean {
  return members.some((member) => member.accountId === accountId);
}

/** Returns a user's chatrooms, also those that the user declined. */
export function listViews(state: State, accountId: string): View[] {
  return Array.from(state.rooms.values())
    .filter((room) => isMember(room, accountId))
    .map((room) => viewOf(state, room, accountId));
}

/** Finds a user's chatroom, even if the user declined it. */
export function findViewOfMember(state: State, id: string, accountId: string): View | undefined {
  const room = state.rooms.get(id);
  return room && isMember(room, accountId) ? viewOf(state, room, accountId) : undefined;
}

/** Like `findViewOfMember`, with an id in lower or upper case. Throws `room_not_found`. */
export function findView(state: State, id: string, accountId: string): View {
  const view = findViewOfMember(state, id.toLowerCase(), accountId);
  if (!view) throw new Refusal('room_not_found');
  return view;
}

/** Returns a member's chatroom unless the member declined it. Throws `room_not_found`. */
export function findListedView(state: State, id: string, accountId: string): View {
  const view = findView(state, id, accountId);
  if (view.me.consent === 'declined') throw new Refusal('room_not_found');
  return view;
}

/** Creates the chatroom of two users, of whom the first one has accepted the other. */
export function beginChat(
  state: State,
  creatorId: string,
  partnerId: string,
  consent: Member['consent'],
): ServerChatroom {
  const room: ServerChatroom = {
    id: crypto.randomUUID(),
    createdAt: Date.now(),
    lastSeq: 0,
    lastRev: 0,
    members: [createMember(creatorId, 'accepted'), createMember(partnerId, consent)],
    messages: [],
  };
  state.rooms.set(room.id, room);
  return room;
}

function createMember(accountId: string, consent: Member['consent']): Member {
  return {
    accountId,
    consent,
    isQuiet: true,
    blockedAt: undefined,
    readSeq: 0,
    clearedSeq: 0,
    ownClearedSeq: 0,
    isRemoved: false,
    blockStartSeq: 0,
    blockEndSeq: 0,
    deliveredSeq: 0,
    seenSeq: 0,
    memberRev: 0,
    isPinned: false,
    pinRank: 0,
    archivedSeq: undefined,
    mutedUntil: undefined,
    isMarkedUnread: false,
    invitationAcceptedAt: undefined,
    lastReaction: undefined,
  };
}

/** Finds the chatroom of two users. */
export function findPair(state: State, a: string, b: string): ServerChatroom | undefined {
  return state.rooms.values().find((room) => isMember(room, a) && isMember(room, b));
}

/** Finds a user by name, with the chatroom that the current user has with them. */
export function findPartner(
  state: State,
  accountId: string,
  username: string,
  self: 'self_search' | 'self_chat',
): { partner: Account; room: ServerChatroom | undefined } {
  const key = usernameKey(username);
  const partner = state.accounts.values().find((account) => usernameKey(account.username) === key);
  if (partner?.id === accountId) throw new Refusal(self);
  const room = partner && findPair(state, accountId, partner.id);
  const me = room && viewOf(state, room, accountId).me;
  const isHidden = partner?.isDiscoverable === false && (!me || me.consent === 'declined');
  if (!partner || isHidden) throw new Refusal('user_not_found');
  if (me?.blockedAt !== undefined) throw new Refusal('partner_blocked');
  return { partner, room };
}

/** Counts the partner's messages after the read position of the member. */
export function unreadCount(state: State, { room, me, partnerAccount }: View): number {
  if (me.blockedAt !== undefined || !partnerAccount) return 0;
  const unread = visibleMessages(state, room, me.accountId).filter(
    ({ seq, senderId }) => seq > me.readSeq && senderId === partnerAccount.id,
  );
  return Math.min(unread.length, LIMITS.unreadMax);
}

/** Returns whether a member has not accepted the partner, and first messages are quiet for the member. */
export function isQuietRequest({ consent, isQuiet }: Member): boolean {
  return consent === 'requested' && isQuiet;
}

/** Returns whether a chat is archived: the partner has sent no message since that was not muted. */
export function isArchived({ room, me, partnerAccount }: View): boolean {
  const { archivedSeq, mutedUntil = 0 } = me;
  if (archivedSeq === undefined) return false;
  const later = room.messages.findLast(
    (message) =>
      message.seq > archivedSeq &&
      message.senderId === partnerAccount?.id &&
      isShownToPartner(me, message),
  );
  return later === undefined || later.createdAt <= mutedUntil;
}
