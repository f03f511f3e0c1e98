import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

declare module 'fastify' {
  interface Session {
    /** Set by the login. */
    userId?: string;
    /** Public id of the session. */
    publicId?: string;
  }
}

/** Name of the session cookie. */
export const SESSION_COOKIE = 'parley.sid';

/** Who sent a request. */
export interface SignedIn {
  readonly userId: string;
  /** Public id of the session. */
  readonly sessionId: string;
}

/**
 * Returns whose session a request carries.
 * @throws {AppError} `unauthenticated` if it carries none.
 */
export function signedIn(request: FastifyRequest): SignedIn {
  const { userId, publicId } = request.session;
  if (userId === undefined || publicId === undefined) throw new AppError('unauthenticated');
  return { userId, sessionId: publicId };
}
