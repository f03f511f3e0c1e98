import { Done, errorAnswers, SessionList, SessionParams } from '@parley/contract/schemas';
import type { App, Context } from '../context.ts';
import { READ_ERRORS, WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import { endOtherSessions, endSession, listSessions } from './session.service.ts';
import { registerSessionSweep } from './session-sweep.ts';

/** `/sessions`: where somebody is signed in, seen and ended one by one or all at once. */
export function registerSessionRoutes(app: App, ctx: Context): void {
  registerSessionSweep(app, ctx);

  app.get(
    '/sessions',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['sessions'],
        summary: 'Where the person is signed in, the session used last first',
        response: { 200: SessionList, ...errorAnswers(...READ_ERRORS) },
      },
    },
    async (request) => ({ sessions: await listSessions(ctx, signedIn(request)) }),
  );

  app.delete(
    '/sessions/:id',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['sessions'],
        summary: 'End one session',
        params: SessionParams,
        response: { 200: Done, ...errorAnswers(...WRITE_ERRORS, 'not_found') },
      },
    },
    async (request) => {
      await endSession(ctx, signedIn(request), request.params.id);
      return { ok: true as const };
    },
  );

  app.delete(
    '/sessions',
    {
      config: { limit: 'settings' },
      schema: {
        tags: ['sessions'],
        summary: 'End every session but the one that asks',
        response: { 200: Done, ...errorAnswers(...WRITE_ERRORS) },
      },
    },
    async (request) => {
      await endOtherSessions(ctx, signedIn(request));
      return { ok: true as const };
    },
  );
}
