import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import type { Session } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import {
  deleteSessionByToken,
  findEndedReason,
  findSessionByToken,
  touchSession,
  type SessionRow,
} from './session.repository.ts';

/** A session ends when it was not used for so long: 30 days, in milliseconds. */
export const SESSION_IDLE_TIMEOUT = 30 * 24 * 60 * 60 * 1000;

/** That a session is in use is noted at most so often, in milliseconds: reading costs no write. */
export const SESSION_TOUCH_INTERVAL = 10 * 60 * 1000;

/** What a session is found by: the database never holds what is in the cookie. */
export function tokenHash(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/** Sessions that are kept in memory, so that not every request has to ask the database for its own. */
const CACHE_SIZE = 20_000;

/** Finds the sessions of `@fastify/session` in the database, and keeps `cacheSize` of them at hand. */
export function createSessionStore(
  { storage, events, log }: Pick<Context, 'storage' | 'events' | 'log'>,
  cacheSize = CACHE_SIZE,
): SessionStore {
  const rows = new LRUCache<string, SessionRow>({ max: cacheSize });
  const tokens = new LRUCache<string, string>({ max: cacheSize });
  let ends = 0;

  events.subscribe((event) => {
    if (event.type !== 'sessions-ended') return;
    ends++;
    for (const id of event.sessionIds) {
      const token = tokens.get(id);
      if (token !== undefined) rows.delete(token);
      // Its token was let go while its row may have stayed in use: an ended session must not live on.
      else rows.clear();
    }
  });

  async function find(token: string, now: number): Promise<SessionRow | undefined> {
    const cached = rows.get(token);
    if (cached !== undefined) {
      // Keeps its token among the recent ones, too.
      tokens.get(cached.id);
      return cached.expires_at > now ? cached : undefined;
    }
    const endsBefore = ends;
    const row = await storage.read((db) => findSessionByToken(db, tokenHash(token), now));
    // One that may have ended while the answer was on its way is not cacheSize.
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
    if (now - row.last_seen_at >= SESSION_TOUCH_INTERVAL) touch(row, token, now);
    return {
      cookie: { originalMaxAge: SESSION_IDLE_TIMEOUT },
      userId: row.user_id,
      publicId: row.id,
    };
  }

  /** Returns a session without a user, whose 401 says why it was ended. */
  async function findEnded(token: string): Promise<Session | null> {
    const endedReason = await storage.read((db) => findEndedReason(db, tokenHash(token)));
    return endedReason ? { cookie: { originalMaxAge: SESSION_IDLE_TIMEOUT }, endedReason } : null;
  }

  // Nobody waits for it: an answer does not depend on it, and on a full disk reading goes on.
  function touch(row: SessionRow, token: string, now: number): void {
    const expiresAt = now + SESSION_IDLE_TIMEOUT;
    // Noted at once, so that requests that come meanwhile do not note it again.
    if (rows.get(token) !== undefined) {
      rows.set(token, { ...row, last_seen_at: now, expires_at: expiresAt });
    }
    storage
      .write(({ trx }) => touchSession(trx, row.id, now, expiresAt))
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a session was not noted'));
  }

  async function destroy(sessionId: string): Promise<void> {
    const hash = tokenHash(sessionId);
    // Most have never been stored: those of people who are about to log in.
    if ((await storage.read((db) => findSessionByToken(db, hash, 0))) === undefined) return;
    await storage.write(async ({ trx, emit }) => {
      const id = await deleteSessionByToken(trx, hash);
      if (id !== undefined) emit({ type: 'sessions-ended', sessionIds: [id], reason: 'logout' });
    });
  }

  return {
    get: callbackify(get),
    // A session's row is made by the login, in the write that checks the password once more. If it
    // were saved here, at the end of a request, one that was ended meanwhile would come back.
    set: (_sessionId, _session, done) => done(),
    destroy: callbackify(destroy),
  };
}
