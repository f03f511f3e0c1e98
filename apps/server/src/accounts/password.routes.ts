import type { App } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import type { AccountContext } from './account-context.ts';
import { rememberDevice } from '../devices/device-cookie.ts';
import { getHashingOwner } from '../devices/device.service.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';

/** Registers the endpoints to reset and to change a password. */
export function registerPasswordRoutes(app: App, ctx: AccountContext): void {
  registerEndpoint(app, 'requestReset', async (request) => {
    await requestReset(ctx, request.body.email);
    return { ok: true as const };
  });

  registerEndpoint(app, 'resetPassword', async (request, reply) => {
    const account = await resetPassword(ctx, request.body, getHashingOwner(request));
    rememberDevice(request, reply, ctx.devices, account);
    return { ok: true as const };
  });

  registerEndpoint(app, 'changePassword', async (request, reply) => {
    const session = getCurrentSession(request);
    const account = await changePassword(ctx, session, request.body, getHashingOwner(request));
    rememberDevice(request, reply, ctx.devices, account);
    return { ok: true as const };
  });
}
