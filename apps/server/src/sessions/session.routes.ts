import type { App, Context } from '../context.ts';
import { rememberDevice } from '../devices/device-cookie.ts';
import type { KnownDevices } from '../devices/known-devices.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { endOtherSessions, endSession, listSessions } from './session.service.ts';

/** Registers `/sessions`: the endpoints to list and end the current user's sessions. */
export function registerSessionRoutes(app: App, ctx: Context, devices: KnownDevices): void {
  registerEndpoint(app, 'listSessions', async (request) => ({
    sessions: await listSessions(ctx, getCurrentSession(request)),
  }));

  registerEndpoint(app, 'endSession', async (request) => {
    await endSession(ctx, getCurrentSession(request), request.params.id);
    return { ok: true as const };
  });

  registerEndpoint(app, 'endOtherSessions', async (request, reply) => {
    const account = await endOtherSessions(ctx, getCurrentSession(request));
    rememberDevice(request, reply, devices, account);
    return { ok: true as const };
  });
}
