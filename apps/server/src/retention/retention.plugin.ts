import type { App, Context } from '../context.ts';
import { removeOldSnapshots } from '../db/snapshot.ts';
import { createRetention } from './retention.service.ts';

/** Milliseconds from one look to the next. */
const INTERVAL = 60 * 60 * 1000;

/** Deletes what is kept for a time only, for as long as the app runs: at the start and hourly. */
export function registerRetention(app: App, ctx: Context): void {
  const { retentionDays, dataDir } = ctx.config;
  const retention = retentionDays === undefined ? undefined : createRetention(ctx, retentionDays);
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function look(): Promise<void> {
    removeOldSnapshots(dataDir, Date.now());
    await retention?.apply(stopping.signal);
  }
  const run = () => {
    running = running
      .then(look)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'what is too old was not deleted'));
  };
  let timer: NodeJS.Timeout | undefined;
  // Only once it answers: nobody waits for this.
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
