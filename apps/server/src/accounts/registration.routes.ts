import type { App } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { AccountContext } from './account-context.ts';
import { getHashingOwner } from '../devices/device.service.ts';
import { register, resendKey, verify } from './registration.service.ts';

/** Registers `/users/register`: registration and verification of accounts. */
export function registerRegistrationRoutes(app: App, ctx: AccountContext): void {
  registerEndpoint(app, 'register', async (request, reply) =>
    reply.status(201).send(await register(ctx, request.body, getHashingOwner(request))),
  );

  registerEndpoint(app, 'verify', async (request) => {
    await verify(ctx, request.body);
    return { isVerified: true };
  });

  registerEndpoint(app, 'resendKey', async (request, reply) => {
    resendKey(ctx, request.body.email);
    return reply.status(202).send({ ok: true });
  });
}
