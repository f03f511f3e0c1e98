import type { SessionEndReason } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

declare module 'fastify' {
  interface Session {
    /** Set by login. */
    userId?: string;
    /** Public id of the session. */
    publicId?: string;
    /** Why the session was ended. Such a session has no user. */
    endedReason?: SessionEndReason;
  }
}

/** Name of the session cookie. */
export const SESSION_COOKIE = 'parley.sid';

/** The user and session of a request. */
export interface CurrentSession {
  readonly userId: string;
  /** Public id of the session. */
  readonly sessionId: string;
}

/**
 * Returns the user and session of a request.
 * @throws {AppError} `unauthenticated` if the request has no session.
 */
export function getCurrentSession(request: FastifyRequest): CurrentSession {
  const { userId, publicId, endedReason } = request.session;
  if (userId === undefined || publicId === undefined) {
    throw new AppError('unauthenticated', { sessionEnded: endedReason });
  }
  return { userId, sessionId: publicId };
}
