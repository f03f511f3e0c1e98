import { cleanText, LIMITS } from '@parley/contract';
import { introduce } from './accounts.handlers.ts';
import { listAgain } from './member-states.ts';
import { findPair, viewOf } from './views.ts';
import type { GuestHandlers, UserHandlers } from './endpoint-handlers.ts';
import { Refusal } from './refusal.ts';
import { toTimestamp, type Account, type State, type StoredInvitation } from './state.ts';

const DAY = 24 * 60 * 60 * 1_000;

function isUsable(state: State, { isUsed, expiresAt, inviterId }: StoredInvitation): boolean {
  return !isUsed && expiresAt > Date.now() && state.accounts.has(inviterId);
}

function toWire({ id, code, isSingleUse, note, createdAt, expiresAt }: StoredInvitation) {
  const times = { createdAt: toTimestamp(createdAt), expiresAt: toTimestamp(expiresAt) };
  return { id, code, isSingleUse, note, ...times };
}

function listUsable(state: State, inviterId: string): StoredInvitation[] {
  return Array.from(state.invitations.values()).filter(
    (each) => each.inviterId === inviterId && isUsable(state, each),
  );
}

/** Finds a usable invitation and its inviter. Throws `invitation_invalid`, or `self_chat` for one's own. */
function findInvitation(
  state: State,
  rawCode: string,
  accountId?: string,
): { invitation: StoredInvitation; inviter: Account } {
  const invitation = state.invitations.values().find(({ code }) => code === rawCode.trim());
  const inviter = invitation && state.accounts.get(invitation.inviterId);
  if (!inviter) throw new Refusal('invitation_invalid');
  if (inviter.id === accountId) throw new Refusal('self_chat');
  if (!isUsable(state, invitation)) throw new Refusal('invitation_invalid');
  return { invitation, inviter };
}

/** The endpoints of `/invitations` for guests. */
export const guestInvitationHandlers = {
  previewInvitation: ({ state, body }) => ({
    username: findInvitation(state, body.code).inviter.username,
    canRegister: state.config.userInvitations ?? false,
  }),
} satisfies GuestHandlers;

/** The endpoints of `/invitations` for users. */
export const invitationHandlers = {
  listInvitations: ({ state, account }) => ({
    invitations: listUsable(state, account.id).toReversed().map(toWire),
  }),

  createInvitation: ({ state, account, body }) => {
    const { isSingleUse, days = LIMITS.invitationDaysDefault, note = '' } = body;
    if (listUsable(state, account.id).length >= LIMITS.invitationsMax) {
      throw new Refusal('quota_invitations');
    }
    const now = Date.now();
    const id = crypto.randomUUID();
    const invitation = {
      id,
      code: crypto.randomUUID().replaceAll('-', '').slice(0, LIMITS.invitationCodeLength),
      inviterId: account.id,
      isSingleUse,
      note: cleanText(note.toWellFormed()).replace(/\s+/g, ' ').trim(),
      createdAt: now,
      expiresAt: now + days * DAY,
      isUsed: false,
    };
    state.invitations.set(id, invitation);
    return toWire(invitation);
  },

  revokeInvitation: ({ state, account, params }) => {
    const found = state.invitations.get(params.id.toLowerCase());
    if (found?.inviterId !== account.id) throw new Refusal('not_found');
    state.invitations.delete(found.id);
    return { ok: true };
  },

  redeemInvitation: ({ state, account, body }) => {
    const { invitation, inviter } = findInvitation(state, body.code, account.id);
    const room = findPair(state, account.id, inviter.id);
    const isAccepted = room?.members.every(({ consent }) => consent === 'accepted');
    if (room && isAccepted) {
      listAgain(state, viewOf(state, room, account.id));
      return { chatroomId: room.id };
    }
    invitation.isUsed = invitation.isSingleUse;
    return { chatroomId: introduce(state, account.id, inviter.id) };
  },
} satisfies UserHandlers;
