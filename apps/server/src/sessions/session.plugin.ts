import fastifyCookie, { Signer } from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { createBoundedCache } from '../bounded-cache.ts';
import type { App, Context } from '../context.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import { loadSecret } from '../storage/secret.ts';
import { createDatabaseSessionStore } from './session.store.ts';

// The server ends idle sessions itself. Browsers limit the lifetime of cookies to 400 days.
const COOKIE_MAX_AGE = 400 * 24 * 60 * 60 * 1000;

/** Maximum number of cached signatures. */
const SIGNATURES_MAX = 20_000;

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

/**
 * Creates a signer for session cookies that caches valid signatures, because each request verifies
 * its cookie and signs it again.
 */
function createCookieSigner(secret: string): Signer {
  const signer = new Signer(secret);
  const results = createBoundedCache<string, ReturnType<Signer['unsign']>>(SIGNATURES_MAX);
  const cookies = createBoundedCache<string, string>(SIGNATURES_MAX);
  return {
    sign: (sessionId) => cookies.get(sessionId) ?? signer.sign(sessionId),
    unsign(cookie) {
      const cached = results.get(cookie);
      if (cached !== undefined) return cached;
      const result = signer.unsign(cookie);
      if (result.valid) {
        results.set(cookie, result);
        cookies.set(result.value, cookie);
      }
      return result;
    },
  };
}
