import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import type { Session } from 'fastify';
import type { Context } from '../context.ts';
import { deleteSessionByToken, findSessionByToken, touchSession } from './session.repository.ts';

declare module 'fastify' {
  interface Session {
    /** Set by the login. */
    userId?: string;
    /** Public id of the session. */
    publicId?: string;
  }
}

/** A session ends when it was not used for so long: 30 days, in milliseconds. */
export const SESSION_IDLE_MAX = 30 * 24 * 60 * 60 * 1000;

/** That a session is in use is noted at most so often, in milliseconds: reading costs no write. */
export const SESSION_TOUCH_EVERY = 10 * 60 * 1000;

/** What a session is found by: the database never holds what is in the cookie. */
export function tokenHash(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/** Finds the sessions of `@fastify/session` in the database. */
export function createSessionStore({
  db,
  writes,
  log,
}: Pick<Context, 'db' | 'writes' | 'log'>): SessionStore {
  async function get(sessionId: string): Promise<Session | null> {
    const now = Date.now();
    const row = await findSessionByToken(db, tokenHash(sessionId), now);
    if (row === undefined) return null;
    if (now - row.last_seen_at >= SESSION_TOUCH_EVERY) touch(row.id, now);
    return {
      cookie: { originalMaxAge: SESSION_IDLE_MAX },
      userId: row.user_id,
      publicId: row.id,
    };
  }

  // Nobody waits for it: an answer does not depend on it, and on a full disk reading goes on.
  function touch(id: string, now: number): void {
    writes
      .write(({ trx }) => touchSession(trx, id, now, now + SESSION_IDLE_MAX))
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a session was not noted'));
  }

  async function destroy(sessionId: string): Promise<void> {
    const hash = tokenHash(sessionId);
    // Most have never been stored: those of people who are about to log in.
    if ((await findSessionByToken(db, hash, 0)) === undefined) return;
    await writes.write(async ({ trx, emit }) => {
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
