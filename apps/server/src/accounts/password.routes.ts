import type { App } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import type { AccountContext } from './account-context.ts';
import { getHashingOwner } from './device-cookie.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';

/** Registers the endpoints to reset and to change a password. */
export function registerPasswordRoutes(app: App, ctx: AccountContext): void {
  registerEndpoint(app, 'requestReset', async (request) => {
    await requestReset(ctx, request.body.email);
    return { ok: true as const };
  });

  registerEndpoint(app, 'resetPassword', async (request) => {
    await resetPassword(ctx, request.body, getHashingOwner(request));
    return { ok: true as const };
  });

  registerEndpoint(app, 'changePassword', async (request) => {
    await changePassword(ctx, getCurrentSession(request), request.body);
    return { ok: true as const };
  });
}
