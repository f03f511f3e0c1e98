import {
  Done,
  EmailBody,
  errorAnswers,
  NewPasswordBody,
  PasswordChangeBody,
} from '@parley/contract/schemas';
import type { App } from '../context.ts';
import { PUBLIC_WRITE_ERRORS, WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import type { AccountContext } from './account-context.ts';
import { hashingQueue } from './device-cookie.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';

/** A password forgotten, set anew, or changed. */
export function registerPasswordRoutes(app: App, ctx: AccountContext): void {
  app.patch(
    '/users/forgot-pw',
    {
      config: { access: 'public', limit: 'mail' },
      schema: {
        tags: ['accounts'],
        summary: 'Ask for a reset key by mail',
        body: EmailBody,
        response: { 200: Done, ...errorAnswers(...PUBLIC_WRITE_ERRORS, 'user_not_found') },
      },
    },
    async (request) => {
      await requestReset(ctx, request.body.email);
      return { ok: true as const };
    },
  );

  app.patch(
    '/users/new-pw',
    {
      config: { access: 'public', limit: 'keys' },
      schema: {
        tags: ['accounts'],
        summary: 'Set a new password by the reset key; every session of the account ends',
        body: NewPasswordBody,
        response: {
          200: Done,
          ...errorAnswers(...PUBLIC_WRITE_ERRORS, 'reset_key_wrong', 'user_not_found'),
        },
      },
    },
    async (request) => {
      await resetPassword(ctx, request.body, hashingQueue(request));
      return { ok: true as const };
    },
  );

  app.patch(
    '/users/update',
    {
      config: { limit: 'password' },
      schema: {
        tags: ['accounts'],
        summary: 'Change the password; every other session of the account ends',
        body: PasswordChangeBody,
        response: { 200: Done, ...errorAnswers(...WRITE_ERRORS, 'wrong_password') },
      },
    },
    async (request) => {
      await changePassword(ctx, signedIn(request), request.body);
      return { ok: true as const };
    },
  );
}
