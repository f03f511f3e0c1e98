import { ERROR_STATUS } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../context.ts';
import type { DeviceAccount } from '../devices/known-devices.ts';
import { AppError } from '../errors/app-error.ts';
import { clientAddress } from '../http/client-address.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { assertOwnScriptRequest } from '../plugins/origin-check.ts';
import { chargeLimits } from '../plugins/rate-limits.ts';
import { endSessionByToken } from '../sessions/session.store.ts';
import { SESSION_COOKIE } from '../plugins/current-session.ts';
import type { AccountContext } from './account-context.ts';
import { rememberDevice } from '../devices/device-cookie.ts';
import { getHashingOwner } from '../devices/device.service.ts';
import { authenticate, startSession } from './login.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that a login has created a session for. */
    loggedInAccount: DeviceAccount | undefined;
  }
}

/** Registers `/users/login`, `/users/logout` and `/users/clear-cache`. */
export function registerLoginRoutes(app: App, ctx: AccountContext): void {
  app.decorateRequest('loggedInAccount', undefined);
  registerEndpoint(
    app,
    'login',
    async (request) => {
      const { body, knownAccount } = request;
      const user = await authenticate(ctx, body, getHashingOwner(request), knownAccount);
      // Guesses by others must not use up the logins of the account.
      await chargeLimits(request, `${user.userId} ${user.passwordHash}`);
      if (!user.isVerified) return { isVerified: false };
      if (user.isSuspended) throw new AppError('account_suspended');

      // Ends the old session as expired, so that other tabs of this browser keep unsent messages.
      if (request.session.userId !== undefined) {
        await endSessionByToken(ctx.storage, request.session.sessionId, 'expired');
      }
      // A new session id prevents session fixation.
      await request.session.regenerate();
      const token = request.session.sessionId;
      const device = request.headers['user-agent'] ?? '';
      const { id, account } = await startSession(ctx, user, { token, device });
      request.session.publicId = id;
      request.session.userId = account.id;
      request.loggedInAccount = account;
      return { isVerified: true };
    },
    {
      // Sets the device cookie after the session cookie.
      onSend: async (request, reply) => {
        if (reply.statusCode === ERROR_STATUS.wrong_credentials) logFailedLogin(ctx, request);
        const { loggedInAccount: account } = request;
        if (account !== undefined) rememberDevice(request, reply, ctx.devices, account);
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

/** Logs a failed login for programs such as fail2ban: with the address of the client, without the account. */
function logFailedLogin({ config, log }: AccountContext, request: FastifyRequest): void {
  if (config.logFailedLogins) log.warn({ address: clientAddress(request) }, 'failed login');
}

/** Ends the session of a request and clears its cookie. */
export async function destroySession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.session.destroy();
  reply.clearCookie(SESSION_COOKIE, { path: '/' });
}
