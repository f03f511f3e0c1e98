import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import type { App, Context } from '../context.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import { loadSecret } from '../storage/secret.ts';
import { createCookieSigner } from './cookie-signer.ts';
import { createDatabaseSessionStore } from './session.store.ts';

// The server ends idle sessions itself. Browsers limit the lifetime of cookies to 400 days.
const COOKIE_MAX_AGE = 400 * 24 * 60 * 60 * 1000;

/** Registers cookie sessions that are stored in the database. */
export async function registerSession(app: App, ctx: Context): Promise<void> {
  await app.register(fastifyCookie);
  await app.register(fastifySession, {
    secret: createCookieSigner(await loadSecret(ctx.storage, 'session')),
    cookieName: SESSION_COOKIE,
    store: createDatabaseSessionStore(ctx),
    saveUninitialized: false,
    rolling: false,
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', path: '/', maxAge: COOKIE_MAX_AGE },
  });
}
