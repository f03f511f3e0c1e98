import type { SessionInfo } from '@parley/contract';
import type { Context } from '../context.ts';
import { forgetAllDevices } from '../devices/device.service.ts';
import type { DeviceAccount } from '../devices/known-devices.ts';
import { isCertainlyBehind } from '../scheduling/certainly-behind.ts';
import { newId } from '../storage/ids.ts';
import type { WriteContext } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import type { CurrentSession } from '../plugins/current-session.ts';
import {
  deleteEndedSessions,
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSessionOfUser,
  deleteSessionsOfUser,
  findSessionsOfUser,
  insertEndedSessions,
  insertSession,
  hasUnexpiredSession,
  type DeletedSession,
  type EndedReason,
} from './session.repository.ts';
import { SESSION_IDLE_TIMEOUT, tokenHash } from './session.store.ts';

/** Maximum number of sessions per account. A further login ends the least recently used one. */
export const SESSIONS_MAX = 50;

/**
 * Milliseconds for which the server remembers why it ended a session. Clients without contact for
 * longer erase their offline copy by themselves.
 */
const ENDED_RETENTION = 30 * 24 * 60 * 60 * 1000;

/**
 * End of a session that begins while the clock is certainly behind. It would end once the clock is put right. Then,
 * the check of stored times gives it its real end.
 */
const UNKNOWN_END = 8_640_000_000_000_000;

/** Maximum length of the stored `User-Agent`. */
const DEVICE_MAX = 256;

/** Creates a session for a cookie's token, within the write of the login. Returns its public id. */
export async function openSession(
  write: WriteContext,
  session: { userId: string; token: string; device: string },
): Promise<string> {
  const id = newId();
  const now = Date.now();
  await insertSession(write.trx, {
    id,
    token_hash: tokenHash(session.token),
    user_id: session.userId,
    device: session.device.slice(0, DEVICE_MAX),
    created_at: now,
    last_seen_at: now,
    expires_at: isCertainlyBehind(now) ? UNKNOWN_END : now + SESSION_IDLE_TIMEOUT,
  });
  const oldest = await deleteOldestSessions(write.trx, session.userId, id, SESSIONS_MAX - 1);
  await recordEnded(write, oldest, 'revoked');
  return id;
}

/** Returns the sessions of the current user, most recently used first. */
export async function listSessions(ctx: Context, session: CurrentSession): Promise<SessionInfo[]> {
  const rows = await ctx.storage.read((db) => findSessionsOfUser(db, session.userId, Date.now()));
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    isCurrent: row.id === session.sessionId,
  }));
}

/**
 * Ends a session of the current user.
 * @throws {AppError} `not_found` if the user has no session with this id.
 */
export async function endSession(
  ctx: Context,
  session: CurrentSession,
  sessionId: string,
): Promise<void> {
  const id = sessionId.toLowerCase();
  await ctx.storage.write(async (write) => {
    const deleted = await deleteSessionOfUser(write.trx, session.userId, id);
    if (!deleted) throw new AppError('not_found');
    await recordEnded(write, [deleted], 'revoked');
  });
}

/**
 * Ends all sessions of the current user except the current one. Returns the account, whose devices are
 * forgotten.
 */
export async function endOtherSessions(
  ctx: Context,
  session: CurrentSession,
): Promise<DeviceAccount> {
  return ctx.storage.write((write) =>
    endSessionsOf(write, session.userId, 'revoked', session.sessionId),
  );
}

/**
 * Ends all sessions of an account, except `keepId`, and forgets its devices, within the write that
 * causes it. Returns the account.
 */
export async function endSessionsOf(
  write: WriteContext,
  userId: string,
  reason: EndedReason,
  keepId?: string,
): Promise<DeviceAccount> {
  await recordEnded(write, await deleteSessionsOfUser(write.trx, userId, keepId), reason);
  return forgetAllDevices(write, userId);
}

/**
 * Announces ended sessions to open connections, and records the reason for clients that connect
 * later.
 */
async function recordEnded(
  { trx, emit }: WriteContext,
  sessions: readonly DeletedSession[],
  reason: EndedReason,
): Promise<void> {
  if (sessions.length === 0) return;
  await insertEndedSessions(trx, sessions, reason, Date.now());
  emit({ type: 'sessions-ended', sessionIds: sessions.map(({ id }) => id), reason });
}

/** Returns whether the session with a public id exists and has not expired. */
export function isSessionActive(
  { storage }: Pick<Context, 'storage'>,
  sessionId: string,
): Promise<boolean> {
  return storage.read((db) => hasUnexpiredSession(db, sessionId, Date.now()));
}

/** Ends sessions that were idle for too long, and deletes old records of ended sessions. */
export async function endExpiredSessions(ctx: Pick<Context, 'storage'>): Promise<void> {
  await ctx.storage.write(async ({ trx, emit }) => {
    const now = Date.now();
    await deleteEndedSessions(trx, now - ENDED_RETENTION);
    const sessionIds = await deleteExpiredSessions(trx, now);
    if (sessionIds.length > 0) emit({ type: 'sessions-ended', sessionIds, reason: 'expired' });
  });
}
