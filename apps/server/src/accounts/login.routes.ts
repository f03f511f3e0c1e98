import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { assertOwnScriptRequest } from '../plugins/origin-check.ts';
import { endReplacedSession } from '../sessions/session.service.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import type { AccountContext } from './account-context.ts';
import { getHashingOwner, rememberDevice } from './device-cookie.ts';
import { authenticate, startSession } from './login.service.ts';

/** Registers `/users/login`, `/users/logout` and `/users/clear-cache`. */
export function registerLoginRoutes(app: App, ctx: AccountContext): void {
  registerEndpoint(
    app,
    'login',
    async (request) => {
      const user = await authenticate(ctx, request.body, getHashingOwner(request));
      if (!user.isVerified) return { isVerified: false };
      if (user.isSuspended) throw new AppError('account_suspended');

      // Ends the old session as expired, so that other tabs of this browser keep unsent messages.
      if (request.session.userId !== undefined) {
        await endReplacedSession(ctx, request.session.sessionId);
      }
      // A new session id prevents session fixation.
      await request.session.regenerate();
      const token = request.session.sessionId;
      const device = request.headers['user-agent'] ?? '';
      request.session.publicId = await startSession(ctx, user, { token, device });
      request.session.userId = user.userId;
      return { isVerified: true };
    },
    {
      // Sets the device cookie after the session cookie.
      onSend: async (request, reply) => {
        if (reply.statusCode !== 200) return;
        const { userId } = request.session;
        if (userId !== undefined) rememberDevice(request, reply, ctx.devices, userId);
      },
    },
  );

  registerEndpoint(
    app,
    'logout',
    async (request, reply) => {
      await destroySession(request, reply);
      return { ok: true as const };
    },
    // Logout changes state although it is a GET request.
    { onRequest: async (request) => assertOwnScriptRequest(request, ctx) },
  );

  // Chromium delays such a response, and the cookies in it, until its cache is empty: 1.6 s for 240 MB. A login during
  // that time would lose its cookie if the response to a logout had the header.
  registerEndpoint(app, 'clearBrowserCache', async (_request, reply) => {
    void reply.header('clear-site-data', '"cache"');
    return { ok: true as const };
  });
}

/** Ends the session of a request and clears its cookie. */
export async function destroySession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.session.destroy();
  reply.clearCookie(SESSION_COOKIE, { path: '/' });
}
