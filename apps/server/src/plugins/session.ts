import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { loadSecret } from '../storage/secret.ts';
import { AppError } from '../errors/app-error.ts';
import { createCookieSigner } from '../sessions/cookie-signer.ts';
import { createSessionStore } from '../sessions/session.store.ts';

/** Name of the session cookie. */
export const SESSION_COOKIE = 'parley.sid';

// The server ends idle sessions itself; browsers allow a cookie at most 400 days.
const COOKIE_MAX_AGE = 400 * 24 * 60 * 60 * 1000;

/** Cookie sessions, kept in the database. */
export async function registerSession(app: App, ctx: Context): Promise<void> {
  await app.register(fastifyCookie);
  await app.register(fastifySession, {
    secret: createCookieSigner(await loadSecret(ctx.storage, 'session')),
    cookieName: SESSION_COOKIE,
    store: createSessionStore(ctx),
    saveUninitialized: false,
    rolling: false,
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', path: '/', maxAge: COOKIE_MAX_AGE },
  });
}

/** Who sent a request. */
export interface SignedIn {
  readonly userId: string;
  /** Public id of the session. */
  readonly sessionId: string;
}

/**
 * Whose session a request carries.
 * @throws {AppError} `unauthenticated` if it carries none.
 */
export function signedIn(request: FastifyRequest): SignedIn {
  const { userId, publicId } = request.session;
  if (userId === undefined || publicId === undefined) throw new AppError('unauthenticated');
  return { userId, sessionId: publicId };
}
