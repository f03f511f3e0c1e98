import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import type { Session } from 'fastify';
import type { Context } from '../context.ts';
import { newId } from '../db/ids.ts';

declare module 'fastify' {
  interface Session {
    /** Set by the login; a session without it is not kept. */
    userId?: string;
    /** Public id of the session. */
    publicId?: string;
    device?: string;
  }
}

/** A session ends when it was not used for so long: 30 days, in milliseconds. */
export const SESSION_IDLE_MAX = 30 * 24 * 60 * 60 * 1000;

/** What a session is found by: the database never holds what is in the cookie. */
export function tokenHash(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/** Keeps the sessions of `@fastify/session` in the database. */
export function createSessionStore({ db, writes }: Pick<Context, 'db' | 'writes'>): SessionStore {
  async function get(sessionId: string): Promise<Session | null> {
    const row = await db
      .selectFrom('sessions')
      .select(['id', 'user_id', 'device'])
      .where('token_hash', '=', tokenHash(sessionId))
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      cookie: { originalMaxAge: SESSION_IDLE_MAX },
      userId: row.user_id,
      publicId: row.id,
      device: row.device,
    };
  }

  async function set(sessionId: string, session: Session): Promise<void> {
    const { userId } = session;
    if (userId === undefined) return;
    const now = Date.now();
    await writes.write(({ trx }) =>
      trx
        .insertInto('sessions')
        .values({
          id: session.publicId ?? newId(),
          token_hash: tokenHash(sessionId),
          user_id: userId,
          device: session.device ?? '',
          created_at: now,
          last_seen_at: now,
          expires_at: now + SESSION_IDLE_MAX,
        })
        // A session's row never changes here; one that was ended is not brought back.
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  async function destroy(sessionId: string): Promise<void> {
    await writes.write(({ trx }) =>
      trx.deleteFrom('sessions').where('token_hash', '=', tokenHash(sessionId)).execute(),
    );
  }

  return { get: callbackify(get), set: callbackify(set), destroy: callbackify(destroy) };
}
