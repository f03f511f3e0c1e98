import type { App, Context } from '../context.ts';
import type { AccountContext } from './account-context.ts';
import { registerEmailChangeRoutes } from './email-change.routes.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { deleteAccount } from './account-deletion.service.ts';
import { changeSettings, getCurrentUser } from './account.service.ts';
import { destroySession, registerLoginRoutes } from './login.routes.ts';
import { createSmtpUtf8Check } from '../mail/smtp-utf8-check.ts';
import { forgetDevice } from '../devices/device-cookie.ts';
import { getDeviceAccount } from '../devices/device.service.ts';
import type { KnownDevices } from '../devices/known-devices.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { registerPasswordRoutes } from './password.routes.ts';
import { registerRegistrationRoutes } from './registration.routes.ts';

/** Registers `/users`: the endpoints for the current user's account. */
export function registerAccountRoutes(app: App, ctx: Context, devices: KnownDevices): void {
  const accounts = { ...ctx, passwords: createPasswordHasher(), devices };
  const supportsSmtpUtf8 = createSmtpUtf8Check(ctx.config);
  registerRegistrationRoutes(app, { ...accounts, supportsSmtpUtf8 });
  registerEmailChangeRoutes(app, { ...accounts, supportsSmtpUtf8 });
  registerLoginRoutes(app, accounts);
  registerPasswordRoutes(app, accounts);
  registerSettingsRoutes(app, ctx);
  registerDeletionRoute(app, accounts);
}

function registerSettingsRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'getCurrentUser', async (request) =>
    getCurrentUser(ctx, getCurrentSession(request).userId),
  );

  registerEndpoint(app, 'changeSettings', async (request) =>
    changeSettings(ctx, getCurrentSession(request).userId, request.body),
  );

  // Settings that the specification gives endpoints of their own.
  registerEndpoint(app, 'changeLanguage', async (request) =>
    changeSettings(ctx, getCurrentSession(request).userId, { language: request.body.language }),
  );

  registerEndpoint(app, 'changeVolume', async (request) => {
    const volume = request.body.volume === 'loud' ? 'full' : request.body.volume;
    return changeSettings(ctx, getCurrentSession(request).userId, { volume });
  });
}

function registerDeletionRoute(app: App, ctx: AccountContext): void {
  registerEndpoint(app, 'deleteAccount', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    // Deleting the account makes its entry in the cookie unrecognizable.
    const account = await getDeviceAccount(ctx, userId);
    await deleteAccount(ctx, userId);
    forgetDevice(request, reply, ctx.devices, account);
    await destroySession(request, reply);
    return { ok: true as const };
  });
}
