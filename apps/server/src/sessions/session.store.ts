import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import type { Session } from 'fastify';
import { createBoundedCache } from '../bounded-cache.ts';
import { isWithin } from '../scheduling/is-within.ts';
import type { Context } from '../context.ts';
import {
  deleteSessionByToken,
  findEndedReason,
  findSessionByToken,
  touchSession,
  type SessionRow,
} from './session.repository.ts';

/** Milliseconds without use after which a session expires: 30 days. */
export const SESSION_IDLE_TIMEOUT = 30 * 24 * 60 * 60 * 1000;

/** Minimum interval between two records of a session's use in milliseconds, to save writes. */
export const SESSION_TOUCH_INTERVAL = 10 * 60 * 1000;

/** Hashes the token of a session. The database never stores the token itself. */
export function tokenHash(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/**
 * Ends the session with the token of a cookie and announces the reason to its connections. Does
 * nothing if the session does not exist.
 */
export async function endSessionByToken(
  storage: Context['storage'],
  token: string,
  reason: 'logout' | 'expired',
): Promise<void> {
  await storage.write(async ({ trx, emit }) => {
    const id = await deleteSessionByToken(trx, tokenHash(token));
    if (id !== undefined) emit({ type: 'sessions-ended', sessionIds: [id], reason });
  });
}

/**
 * Requests modify no stored session. Otherwise, `@fastify/session` would hash it at the end of each request to find out
 * whether one did.
 */
const UNMODIFIED = { isModified: () => false };

/** Maximum number of cached sessions. */
const CACHE_SIZE = 20_000;

/** Creates the store of `@fastify/session`: the database with a cache of `cacheSize` sessions. */
export function createDatabaseSessionStore(
  { storage, cluster, events, log }: Pick<Context, 'storage' | 'cluster' | 'events' | 'log'>,
  cacheSize = CACHE_SIZE,
): SessionStore {
  const rows = createBoundedCache<string, SessionRow>(cacheSize);
  const tokens = createBoundedCache<string, string>(cacheSize);
  let ends = 0;

  events.subscribe((event) => {
    if (event.type === 'events-missed') {
      ends++;
      rows.clear();
    }
    if (event.type !== 'sessions-ended') return;
    ends++;
    for (const id of event.sessionIds) {
      const token = tokens.get(id);
      if (token !== undefined) rows.delete(token);
      // The token was evicted from the cache, but the row may still be cached under it.
      else rows.clear();
    }
  });

  async function find(token: string, now: number): Promise<SessionRow | undefined> {
    // Without events of other processes, the session may have ended.
    const cached = cluster.isReceivingEvents ? rows.get(token) : undefined;
    // Another process may have extended the lifetime of a session that has expired here.
    if (cached !== undefined && cached.expires_at > now) {
      // Marks the token as recently used, like the row.
      tokens.get(cached.id);
      return cached;
    }
    const endsBefore = ends;
    const row = await storage.read((db) =>
      findSessionByToken(db, { tokenHash: tokenHash(token), now }),
    );
    // Do not cache a session that may have ended during the query.
    if (row !== undefined && ends === endsBefore) {
      rows.set(token, row);
      tokens.set(row.id, token);
    }
    return row;
  }

  async function get(token: string): Promise<Session | null> {
    const now = Date.now();
    const row = await find(token, now);
    if (row === undefined) return findEnded(token);
    if (!isWithin(row.last_seen_at, SESSION_TOUCH_INTERVAL, now)) touch(row, token, now);
    return {
      cookie: { originalMaxAge: SESSION_IDLE_TIMEOUT },
      userId: row.user_id,
      publicId: row.id,
      ...UNMODIFIED,
    };
  }

  /** Returns a session without a user, so that the 401 response contains the reason of its end. */
  async function findEnded(token: string): Promise<Session | null> {
    const endedReason = await storage.read((db) => findEndedReason(db, tokenHash(token)));
    if (endedReason === undefined) return null;
    return { cookie: { originalMaxAge: SESSION_IDLE_TIMEOUT }, endedReason, ...UNMODIFIED };
  }

  // Runs in the background: the response does not depend on it, and reading must work on a full
  // disk.
  function touch(row: SessionRow, token: string, now: number): void {
    const expiresAt = now + SESSION_IDLE_TIMEOUT;
    // Updated before the write, so that concurrent requests do not write it again. The session may expire later in
    // the database, which is read again then.
    if (rows.get(token) !== undefined) {
      rows.set(token, { ...row, last_seen_at: now, expires_at: expiresAt });
    }
    storage
      .write(({ trx }) => touchSession(trx, row.id, now, expiresAt), { isConcurrent: true })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the use of a session could not be recorded'),
      );
  }

  async function destroy(sessionId: string): Promise<void> {
    const key = { tokenHash: tokenHash(sessionId), now: 0 };
    // Most destroyed sessions were never stored, such as those before a login.
    if ((await storage.read((db) => findSessionByToken(db, key))) === undefined) return;
    await endSessionByToken(storage, sessionId, 'logout');
  }

  return {
    get: callbackify(get),
    // Login inserts the row in the write that checks the password again. Saving it here, at the end
    // of a request, could restore a session that was ended during the request.
    set: (_sessionId, _session, done) => done(),
    destroy: callbackify(destroy),
  };
}
