import { endpoints } from '@parley/contract';
import type { App } from '../context.ts';
import { setPrivateCookie } from '../http/private-cookie.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { NewEmailContext } from './account-context.ts';
import { getHashingOwner } from '../devices/device.service.ts';
import { register, resendKey, verify } from './registration.service.ts';

/** Name of the cookie with the id of the last registration in a browser. It authorizes nothing. */
const REGISTRATION_COOKIE = 'parley.registration';

/** Seconds for which a browser remembers its registration. */
const COOKIE_LIFETIME = 30 * 24 * 60 * 60;

const PATH = endpoints.register.path;

/** Registers `/users/register`: registration and verification of accounts. */
export function registerRegistrationRoutes(app: App, ctx: NewEmailContext): void {
  registerEndpoint(app, 'register', async (request, reply) => {
    const { id, response } = await register(ctx, request.body, getHashingOwner(request));
    const cookie = { name: REGISTRATION_COOKIE, value: id, path: PATH, maxAge: COOKIE_LIFETIME };
    setPrivateCookie(request, reply, cookie);
    return reply.status(201).send(response);
  });

  registerEndpoint(app, 'verify', async (request, reply) => {
    const verified = await verify(ctx, request.body, request.cookies[REGISTRATION_COOKIE]);
    reply.clearCookie(REGISTRATION_COOKIE, { path: PATH });
    return verified;
  });

  registerEndpoint(app, 'resendKey', async (request, reply) => {
    resendKey(ctx, request.body.email, request.cookies[REGISTRATION_COOKIE]);
    return reply.status(202).send({ ok: true });
  });
}
