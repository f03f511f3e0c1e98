import type { App, Context } from '../context.ts';
import type { AccountContext } from './account-context.ts';
import { serve } from '../http/serve.ts';
import { signedIn } from '../plugins/session.ts';
import { deleteAccount } from './account-deletion.service.ts';
import { changeLanguage, changeVolume, currentUser } from './account.service.ts';
import { dropSession, registerLoginRoutes } from './login.routes.ts';
import { forgetDevice } from './device-cookie.ts';
import type { KnownDevices } from './known-devices.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { registerPasswordRoutes } from './password.routes.ts';
import { registerRegistrationRoutes } from './registration.routes.ts';

/** `/users`: everything about one's own account. */
export function registerAccountRoutes(app: App, ctx: Context, devices: KnownDevices): void {
  const accounts = { ...ctx, passwords: createPasswordHasher(), devices };
  registerRegistrationRoutes(app, accounts);
  registerLoginRoutes(app, accounts);
  registerPasswordRoutes(app, accounts);
  registerSettingsRoutes(app, ctx);
  registerDeletionRoute(app, accounts);
}

function registerSettingsRoutes(app: App, ctx: Context): void {
  serve(app, 'getCurrentUser', async (request) => currentUser(ctx, signedIn(request).userId));

  serve(app, 'changeLanguage', async (request) => ({
    language: await changeLanguage(ctx, signedIn(request).userId, request.body.language),
  }));

  serve(app, 'changeVolume', async (request) => ({
    volume: await changeVolume(ctx, signedIn(request).userId, request.body.volume),
  }));
}

function registerDeletionRoute(app: App, ctx: AccountContext): void {
  serve(app, 'deleteAccount', async (request, reply) => {
    const { userId } = signedIn(request);
    await deleteAccount(ctx, userId);
    forgetDevice(request, reply, ctx.devices, userId);
    await dropSession(request, reply);
    return { ok: true as const };
  });
}
