import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../storage/ids.ts';
import type { Reader, WriteContext } from '../storage/storage.ts';
import {
  consumeInvitation,
  deleteInvitation,
  deleteUnusableInvitations,
  findInvitationOfCode,
  findUsableInvitations,
  insertInvitation,
  type InvitationOfCode,
  type InviterStatus,
  type ListedInvitation,
} from './invitation.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A newly created invitation. Only the hash of its code is stored. */
export interface NewInvitation {
  id: string;
  code: string;
  uses: number;
  /** In UTC milliseconds. */
  createdAt: number;
  /** In UTC milliseconds. */
  expiresAt: number;
}

/** An invitation to create; by default one of the operator. */
interface InvitationRequest {
  readonly uses: number;
  readonly days: number;
  readonly note: string;
  readonly inviterId?: string;
  /** Returns the code of the invitation with an id. By default codes are random. */
  readonly codeOf?: (id: string) => string;
}

/** Creates an invitation and deletes those that can no longer be used. */
export async function createInvitation(
  { trx }: Pick<WriteContext, 'trx'>,
  { uses, days, note, inviterId, codeOf = createRandomCode }: InvitationRequest,
): Promise<NewInvitation> {
  const id = newId();
  const createdAt = Date.now();
  const invitation = { id, code: codeOf(id), uses, createdAt, expiresAt: createdAt + days * DAY };
  await deleteUnusableInvitations(trx, createdAt);
  await insertInvitation(trx, {
    id,
    code_hash: hashCode(invitation.code),
    note,
    uses_left: uses,
    created_at: createdAt,
    expires_at: invitation.expiresAt,
    inviter_id: inviterId ?? null,
  });
  return invitation;
}

function createRandomCode(): string {
  return randomBytes(15).toString('base64url');
}

/** Returns the invitations of the operator, or of everyone, that can still be used, newest first. */
export function listInvitations(
  db: Reader,
  { isOfEveryone }: { isOfEveryone: boolean },
): Promise<ListedInvitation[]> {
  return findUsableInvitations(db, Date.now(), isOfEveryone ? undefined : null);
}

/** Revokes an invitation of anyone. Returns false if there is none with this id. */
export function revokeInvitation({ trx }: Pick<WriteContext, 'trx'>, id: string): Promise<boolean> {
  return deleteInvitation(trx, id.toLowerCase());
}

/** Returns whether the invitations of users allow registration. */
export function canUsersInvite(config: Pick<Config, 'registration' | 'userInvitations'>): boolean {
  return (
    config.registration === 'open' || (config.registration === 'invite' && config.userInvitations)
  );
}

/** Returns whether an invitation can be used now and its inviter, if any, is available. */
export function isUsable(invitation: InvitationOfCode): boolean {
  return (
    invitation.uses_left > 0 && invitation.expires_at > Date.now() && isInviterAvailable(invitation)
  );
}

/**
 * Returns whether a chat with an inviter can be started: the account is neither deleted nor suspended,
 * and does not refuse all first messages.
 */
export function isInviterAvailable(inviter: InviterStatus): boolean {
  return (
    inviter.ended_at === null && inviter.suspended_at === null && inviter.who_may_write !== 'nobody'
  );
}

/**
 * Asserts that a code allows registration, if that requires an invitation.
 * @throws {AppError} `invitation_invalid`
 */
export async function assertInvitation(
  db: Reader,
  config: Config,
  code: string | undefined,
): Promise<void> {
  await findForRegistration(db, config, code);
}

/**
 * Consumes one use of an invitation, within the write of the registration. Returns the id of the user
 * who invites, if it is an invitation of a user. Ignores an invalid code unless registration requires
 * an invitation.
 * @throws {AppError} `invitation_invalid`
 */
export async function consumeAtRegistration(
  { trx }: Pick<WriteContext, 'trx'>,
  config: Config,
  code: string | undefined,
): Promise<string | undefined> {
  const invitation = await findForRegistration(trx, config, code);
  if (invitation === undefined) return undefined;
  await consumeInvitation(trx, invitation.codeHash);
  return invitation.inviterId ?? undefined;
}

/**
 * Finds the invitation with a code if it has a use at registration.
 * @throws {AppError} `invitation_invalid` if registration requires one and this is none.
 */
async function findForRegistration(
  db: Reader,
  config: Config,
  code: string | undefined,
): Promise<{ codeHash: string; inviterId: string | null } | undefined> {
  if (code !== undefined) {
    const codeHash = hashCode(code);
    const found = await findInvitationOfCode(db, codeHash);
    if (found !== undefined && allowsRegistration(found, config)) {
      return { codeHash, inviterId: found.inviter_id };
    }
  }
  if (config.registration === 'invite') throw new AppError('invitation_invalid');
  return undefined;
}

/** Returns whether an invitation with a code has a use at registration. */
export async function canRegisterWith(db: Reader, config: Config, code: string): Promise<boolean> {
  const found = await findInvitationOfCode(db, hashCode(code));
  return found !== undefined && allowsRegistration(found, config);
}

function allowsRegistration(invitation: InvitationOfCode, config: Config): boolean {
  const isPermitted =
    invitation.inviter_id === null ? config.registration === 'invite' : canUsersInvite(config);
  return isPermitted && isUsable(invitation);
}

/** Returns the stored form of a code. */
export function hashCode(code: string): string {
  return createHash('sha256').update(code.trim()).digest('base64url');
}
