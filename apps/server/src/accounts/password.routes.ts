import type { App } from '../context.ts';
import { serve } from '../http/serve.ts';
import { signedIn } from '../plugins/session.ts';
import type { AccountContext } from './account-context.ts';
import { hashingQueue } from './device-cookie.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';

/** A password forgotten, set anew, or changed. */
export function registerPasswordRoutes(app: App, ctx: AccountContext): void {
  serve(app, 'requestReset', async (request) => {
    await requestReset(ctx, request.body.email);
    return { ok: true as const };
  });

  serve(app, 'resetPassword', async (request) => {
    await resetPassword(ctx, request.body, hashingQueue(request));
    return { ok: true as const };
  });

  serve(app, 'changePassword', async (request) => {
    await changePassword(ctx, signedIn(request), request.body);
    return { ok: true as const };
  });
}
