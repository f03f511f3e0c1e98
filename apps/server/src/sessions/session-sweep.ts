import type { App, Context } from '../context.ts';
import { endExpiredSessions } from './session.service.ts';

/**
 * Milliseconds between sweeps. Expired sessions are invalid anyway; the sweep only deletes them.
 */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Deletes expired sessions at startup and every hour. */
export function registerSessionSweep(app: App, ctx: Context): void {
  let timer: NodeJS.Timeout | undefined;
  const sweep = () =>
    endExpiredSessions(ctx).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'expired sessions could not be deleted'),
    );
  app.addHook('onReady', async () => {
    timer = setInterval(() => void sweep(), SWEEP_INTERVAL);
    await sweep();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
