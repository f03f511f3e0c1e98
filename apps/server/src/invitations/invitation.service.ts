import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../storage/ids.ts';
import type { Reader, WriteContext } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import {
  deleteInvitation,
  deleteUnusableInvitations,
  findUsableInvitations,
  insertInvitation,
  isInvitationUsable,
  consumeInvitation,
  type InvitationRow,
} from './invitation.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A newly created invitation. Its code is not stored and cannot be shown again. */
export interface NewInvitation {
  id: string;
  code: string;
  uses: number;
  /** In UTC milliseconds. */
  expiresAt: number;
}

/** Creates an invitation and deletes those that can no longer be used. */
export async function createInvitation(
  { trx }: Pick<WriteContext, 'trx'>,
  { uses, days, note }: { uses: number; days: number; note: string },
): Promise<NewInvitation> {
  const now = Date.now();
  const invitation = {
    id: newId(),
    code: randomBytes(15).toString('base64url'),
    uses,
    expiresAt: now + days * DAY,
  };
  await deleteUnusableInvitations(trx, now);
  await insertInvitation(trx, {
    id: invitation.id,
    code_hash: hashCode(invitation.code),
    note,
    uses_left: uses,
    created_at: now,
    expires_at: invitation.expiresAt,
  });
  return invitation;
}

/** Returns the invitations that can still be used, newest first. */
export function listInvitations(db: Reader): Promise<InvitationRow[]> {
  return findUsableInvitations(db, Date.now());
}

/** Revokes an invitation. Returns false if there is none with this id. */
export function revokeInvitation({ trx }: Pick<WriteContext, 'trx'>, id: string): Promise<boolean> {
  return deleteInvitation(trx, id.toLowerCase());
}

/**
 * Asserts that a code belongs to an invitation that can be used.
 * @throws {AppError} `invitation_invalid`
 */
export async function assertInvitation(db: Reader, code: string | undefined): Promise<void> {
  if (code === undefined || !(await isInvitationUsable(db, hashCode(code), Date.now()))) {
    throw new AppError('invitation_invalid');
  }
}

/**
 * Consumes one use of an invitation, within the write of the registration.
 * @throws {AppError} `invitation_invalid`
 */
export async function redeemInvitation(
  { trx }: Pick<WriteContext, 'trx'>,
  code: string | undefined,
): Promise<void> {
  if (code === undefined || !(await consumeInvitation(trx, hashCode(code), Date.now()))) {
    throw new AppError('invitation_invalid');
  }
}

function hashCode(code: string): string {
  return createHash('sha256').update(code.trim()).digest('base64url');
}
