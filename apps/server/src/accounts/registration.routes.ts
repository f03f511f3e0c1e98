import {
  Done,
  EmailBody,
  errorAnswers,
  RegisterAnswer,
  RegisterBody,
  VerifiedAnswer,
  VerifyBody,
} from '@parley/contract/schemas';
import type { App } from '../context.ts';
import { PUBLIC_WRITE_ERRORS } from '../http/common-errors.ts';
import type { AccountContext } from './account-context.ts';
import { hashingQueue } from './device-cookie.ts';
import { register, resendKey, verify } from './registration.service.ts';

/** `/users/register`: from nobody to a verified account. */
export function registerRegistrationRoutes(app: App, ctx: AccountContext): void {
  app.post(
    '/users/register',
    {
      config: { access: 'public', limit: 'register' },
      schema: {
        tags: ['accounts'],
        summary: 'Register an account; its verification key comes by mail',
        body: RegisterBody,
        response: {
          201: RegisterAnswer,
          ...errorAnswers(
            ...PUBLIC_WRITE_ERRORS,
            'registration_closed',
            'invitation_invalid',
            'domain_not_allowed',
            'username_not_allowed',
            'account_taken',
          ),
        },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await register(ctx, request.body, hashingQueue(request))),
  );

  app.post(
    '/users/register/verify',
    {
      config: { access: 'public', limit: 'keys' },
      schema: {
        tags: ['accounts'],
        summary: 'Verify an account by the key that was mailed',
        body: VerifyBody,
        response: {
          200: VerifiedAnswer,
          ...errorAnswers(...PUBLIC_WRITE_ERRORS, 'already_verified', 'key_mismatch'),
        },
      },
    },
    async (request) => {
      await verify(ctx, request.body);
      return { isVerified: true };
    },
  );

  app.post(
    '/users/register/resend',
    {
      config: { access: 'public', limit: 'mail' },
      schema: {
        tags: ['accounts'],
        summary: 'Ask for a new verification key',
        description: 'The answer is the same whether or not the address waits for one.',
        body: EmailBody,
        response: { 202: Done, ...errorAnswers(...PUBLIC_WRITE_ERRORS) },
      },
    },
    async (request, reply) => {
      resendKey(ctx, request.body.email);
      return reply.status(202).send({ ok: true as const });
    },
  );
}
