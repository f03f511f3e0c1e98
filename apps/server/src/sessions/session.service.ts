import type { SessionInfo } from '@parley/contract';
import type { Context } from '../context.ts';
import { newId } from '../storage/ids.ts';
import type { WriteContext } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import type { SignedIn } from '../plugins/session.ts';
import {
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSessionOfUser,
  deleteSessionsOfUser,
  findSessionsOfUser,
  insertSession,
  isSessionOpen,
} from './session.repository.ts';
import { SESSION_IDLE_MAX, tokenHash } from './session.store.ts';

/** Sessions that an account may have; a further login ends the one that was not used for longest. */
export const SESSIONS_MAX = 50;

/** Length that a `User-Agent` is cut to. */
const DEVICE_MAX = 256;

/** Makes a session for the token in the cookie, within the write of the login. Returns its public id. */
export async function openSession(
  { trx, emit }: WriteContext,
  session: { userId: string; token: string; device: string },
): Promise<string> {
  const id = newId();
  const now = Date.now();
  await insertSession(trx, {
    id,
    token_hash: tokenHash(session.token),
    user_id: session.userId,
    device: session.device.slice(0, DEVICE_MAX),
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_IDLE_MAX,
  });
  const sessionIds = await deleteOldestSessions(trx, session.userId, SESSIONS_MAX);
  if (sessionIds.length > 0) emit({ type: 'sessions-ended', sessionIds, reason: 'revoked' });
  return id;
}

/** Where somebody is signed in, the session used last first. */
export async function listSessions(ctx: Context, me: SignedIn): Promise<SessionInfo[]> {
  const rows = await ctx.storage.read((db) => findSessionsOfUser(db, me.userId, Date.now()));
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    isCurrent: row.id === me.sessionId,
  }));
}

/**
 * Ends one of somebody's sessions.
 * @throws {AppError} `not_found` if they have none with this id.
 */
export async function endSession(ctx: Context, me: SignedIn, sessionId: string): Promise<void> {
  const id = sessionId.toLowerCase();
  await ctx.storage.write(async ({ trx, emit }) => {
    if (!(await deleteSessionOfUser(trx, me.userId, id))) throw new AppError('not_found');
    emit({ type: 'sessions-ended', sessionIds: [id], reason: 'revoked' });
  });
}

/** Ends all of somebody's sessions but the one they are using. */
export async function endOtherSessions(ctx: Context, me: SignedIn): Promise<void> {
  await ctx.storage.write((write) => endSessionsOf(write, me.userId, 'revoked', me.sessionId));
}

/** Ends an account's sessions, all or all but one, within the write that gives the reason. */
export async function endSessionsOf(
  { trx, emit }: WriteContext,
  userId: string,
  reason: 'revoked' | 'password-changed' | 'account-deleted',
  keepId?: string,
): Promise<void> {
  const sessionIds = await deleteSessionsOfUser(trx, userId, keepId);
  if (sessionIds.length > 0) emit({ type: 'sessions-ended', sessionIds, reason });
}

/** Whether a session, by its public id, exists and has not expired. */
export function isSessionLive(
  { storage }: Pick<Context, 'storage'>,
  sessionId: string,
): Promise<boolean> {
  return storage.read((db) => isSessionOpen(db, sessionId, Date.now()));
}

/** Ends the sessions that were not used for too long. */
export async function endExpiredSessions(ctx: Pick<Context, 'storage'>): Promise<void> {
  await ctx.storage.write(async ({ trx, emit }) => {
    const sessionIds = await deleteExpiredSessions(trx, Date.now());
    if (sessionIds.length > 0) emit({ type: 'sessions-ended', sessionIds, reason: 'expired' });
  });
}
