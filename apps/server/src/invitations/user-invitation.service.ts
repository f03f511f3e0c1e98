import { createHmac } from 'node:crypto';
import {
  cleanText,
  LIMITS,
  type Invitation,
  type InvitationBody,
  type InvitationPreview,
} from '@parley/contract';
import { relistChat } from '../chatrooms/chat-deletion.service.ts';
import { introduce } from '../chatrooms/consent.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { haveAccepted } from '../relationships/relationship.ts';
import { hasAccount } from '../storage/has-account.ts';
import { findRelationshipTo } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';
import {
  consumeInvitation,
  deleteInvitation,
  findInvitationOfCode,
  findUsableInvitations,
  type InvitationOfCode,
} from './invitation.repository.ts';
import { canUsersInvite, createInvitation, hashCode, isUsable } from './invitation.service.ts';

/** Number of uses of an invitation for any number of people, which is never reached. */
const UNLIMITED_USES = 999_999;

/** The context of users' invitations. */
export interface InvitationContext extends Context {
  /** The secret from which codes are derived, so that users can see their links again. */
  readonly codeSecret: string;
}

/** Returns the usable invitations of a user, newest first. */
export async function listUserInvitations(
  ctx: InvitationContext,
  userId: string,
): Promise<Invitation[]> {
  const rows = await ctx.storage.read((db) => findUsableInvitations(db, Date.now(), userId));
  return rows.map((row) => ({
    id: row.id,
    code: codeOf(ctx, row.id),
    isSingleUse: row.uses_left === 1,
    note: row.note,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  }));
}

/**
 * Creates an invitation of a user.
 * @throws {AppError} `quota_invitations`, or `unauthenticated` if the account has just been deleted.
 */
export async function createUserInvitation(
  ctx: InvitationContext,
  userId: string,
  { isSingleUse, days = LIMITS.invitationDaysDefault, note: rawNote = '' }: InvitationBody,
): Promise<Invitation> {
  const note = cleanText(rawNote.toWellFormed()).replace(/\s+/g, ' ').trim();
  const created = await ctx.storage.write(async (write) => {
    if (!(await hasAccount(write.trx, userId))) throw new AppError('unauthenticated');
    const usable = await findUsableInvitations(write.trx, Date.now(), userId);
    if (usable.length >= LIMITS.invitationsMax) throw new AppError('quota_invitations');
    return createInvitation(write, {
      uses: isSingleUse ? 1 : UNLIMITED_USES,
      days,
      note,
      inviterId: userId,
      codeOf: (id) => codeOf(ctx, id),
    });
  });
  return {
    id: created.id,
    code: created.code,
    isSingleUse,
    note,
    createdAt: new Date(created.createdAt).toISOString(),
    expiresAt: new Date(created.expiresAt).toISOString(),
  };
}

/**
 * Revokes an invitation of a user.
 * @throws {AppError} `not_found` if the user has none with this id.
 */
export async function revokeUserInvitation(
  ctx: Context,
  userId: string,
  invitationId: string,
): Promise<void> {
  const id = invitationId.toLowerCase();
  await ctx.storage.write(async ({ trx }) => {
    if (!(await deleteInvitation(trx, id, userId))) throw new AppError('not_found');
  });
}

/**
 * Returns the inviter of a code, and whether it allows registration.
 * @throws {AppError} `invitation_invalid`
 */
export async function previewInvitation(ctx: Context, code: string): Promise<InvitationPreview> {
  const { inviter_name: username } = await ctx.storage.read((db) => getUserInvitation(db, code));
  return { username, canRegister: canUsersInvite(ctx.config) };
}

/**
 * Starts an accepted chat of a user with the inviter. Consumes nothing if both have accepted each other
 * already, and lists a chat again that the user has deleted. A block between them stays, and nothing here
 * depends on it. Returns the id of the chatroom.
 * @throws {AppError} `self_chat` for the user's own invitation, `invitation_invalid`, or
 * `unauthenticated` if the account has just been deleted.
 */
export async function redeemInvitation(
  ctx: Context,
  userId: string,
  code: string,
): Promise<string> {
  return ctx.storage.write(async (write) => {
    if (!(await hasAccount(write.trx, userId))) throw new AppError('unauthenticated');
    const { inviter_id: inviterId } = await getUserInvitation(write.trx, code, userId);
    const known = await findRelationshipTo(write.trx, userId, inviterId);
    if (known !== undefined && haveAccepted(known)) {
      if (known.is_removed === 1) await relistChat(write, userId, known.chatroom_id);
      return known.chatroom_id;
    }
    await consumeInvitation(write.trx, hashCode(code));
    return introduce(write, userId, inviterId);
  });
}

/**
 * Returns the user's invitation that has a code.
 * @param currentUserId the user who is about to redeem it.
 * @throws {AppError} `self_chat` if it is the current user's own, `invitation_invalid` if it cannot be
 * used or is one of the operator.
 */
async function getUserInvitation(
  db: Reader,
  code: string,
  currentUserId?: string,
): Promise<InvitationOfCode & { inviter_id: string; inviter_name: string }> {
  const found = await findInvitationOfCode(db, hashCode(code));
  if (found === undefined) throw new AppError('invitation_invalid');
  const { inviter_id, inviter_name } = found;
  if (inviter_id === null || inviter_name === null) throw new AppError('invitation_invalid');
  if (inviter_id === currentUserId) throw new AppError('self_chat');
  if (!isUsable(found)) throw new AppError('invitation_invalid');
  return { ...found, inviter_id, inviter_name };
}

function codeOf({ codeSecret }: InvitationContext, id: string): string {
  const code = createHmac('sha256', codeSecret).update(id).digest('base64url');
  return code.slice(0, LIMITS.invitationCodeLength);
}
