import type { App } from '../context.ts';
import { getHashingOwner } from '../devices/device.service.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import type { NewEmailContext } from './account-context.ts';
import {
  cancelOwnEmailChange,
  confirmEmailChange,
  requestEmailChange,
  restoreEmail,
} from './email-change.service.ts';

/** Registers `/users/email`: the endpoints to change the address of an account, and to take it back. */
export function registerEmailChangeRoutes(app: App, ctx: NewEmailContext): void {
  registerEndpoint(app, 'requestEmailChange', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    await requestEmailChange(ctx, userId, request.body, getHashingOwner(request));
    return reply.status(202).send({ ok: true });
  });

  registerEndpoint(app, 'confirmEmailChange', async (request) => {
    const { userId } = getCurrentSession(request);
    return { usermail: await confirmEmailChange(ctx, userId, request.body) };
  });

  registerEndpoint(app, 'cancelEmailChange', async (request) => {
    await cancelOwnEmailChange(ctx, getCurrentSession(request).userId);
    return { ok: true as const };
  });

  registerEndpoint(app, 'restoreEmail', async (request) => ({
    usermail: await restoreEmail(ctx, request.body.key),
  }));
}
