import type { App, Context } from '../context.ts';
import { endExpiredSessions } from './session.service.ts';

/** An expired session opens nothing; the sweep only clears up behind it. In milliseconds. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Ends expired sessions at the start and every hour. */
export function registerSessionSweep(app: App, ctx: Context): void {
  let timer: NodeJS.Timeout | undefined;
  const sweep = () =>
    endExpiredSessions(ctx).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'expired sessions could not be cleared up'),
    );
  app.addHook('onReady', async () => {
    timer = setInterval(() => void sweep(), SWEEP_INTERVAL);
    await sweep();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
