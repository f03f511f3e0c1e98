import {
  CurrentUser,
  Done,
  errorAnswers,
  LanguageBody,
  VolumeAnswer,
  VolumeBody,
} from '@parley/contract/schemas';
import type { App, Context } from '../context.ts';
import type { AccountContext } from './account-context.ts';
import { READ_ERRORS, WRITE_ERRORS } from '../http/common-errors.ts';
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
  app.get(
    '/users/current',
    {
      config: { limit: 'sync' },
      schema: {
        tags: ['accounts'],
        summary: "The person's own account",
        response: { 200: CurrentUser, ...errorAnswers(...READ_ERRORS) },
      },
    },
    async (request) => currentUser(ctx, signedIn(request).userId),
  );

  app.patch(
    '/users/language',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['accounts'],
        summary: 'Choose the language of the screens and mails',
        body: LanguageBody,
        response: { 200: LanguageBody, ...errorAnswers(...WRITE_ERRORS) },
      },
    },
    async (request) => ({
      language: await changeLanguage(ctx, signedIn(request).userId, request.body.language),
    }),
  );

  app.patch(
    '/users/volume',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['accounts'],
        summary: 'Choose how loud sounds are',
        body: VolumeBody,
        response: { 200: VolumeAnswer, ...errorAnswers(...WRITE_ERRORS) },
      },
    },
    async (request) => ({
      volume: await changeVolume(ctx, signedIn(request).userId, request.body.volume),
    }),
  );
}

function registerDeletionRoute(app: App, ctx: AccountContext): void {
  app.delete(
    '/users/delete',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['accounts'],
        summary: 'Delete the account with all that its person sent',
        response: { 200: Done, ...errorAnswers(...WRITE_ERRORS) },
      },
    },
    async (request, reply) => {
      const { userId } = signedIn(request);
      await deleteAccount(ctx, userId);
      forgetDevice(request, reply, ctx.devices, userId);
      await dropSession(request, reply);
      return { ok: true as const };
    },
  );
}
