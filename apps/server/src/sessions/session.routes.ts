import type { App, Context } from '../context.ts';
import { serve } from '../http/serve.ts';
import { signedIn } from '../plugins/session.ts';
import { endOtherSessions, endSession, listSessions } from './session.service.ts';
import { registerSessionSweep } from './session-sweep.ts';

/** `/sessions`: where somebody is signed in, seen and ended one by one or all at once. */
export function registerSessionRoutes(app: App, ctx: Context): void {
  registerSessionSweep(app, ctx);

  serve(app, 'listSessions', async (request) => ({
    sessions: await listSessions(ctx, signedIn(request)),
  }));

  serve(app, 'endSession', async (request) => {
    await endSession(ctx, signedIn(request), request.params.id);
    return { ok: true as const };
  });

  serve(app, 'endOtherSessions', async (request) => {
    await endOtherSessions(ctx, signedIn(request));
    return { ok: true as const };
  });
}
