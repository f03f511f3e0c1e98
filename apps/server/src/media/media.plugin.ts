import type { App, Context } from '../context.ts';
import { measureRecordings } from './measure-recordings.ts';
import { createMediaFolders } from './media-store.ts';
import { createSweeper } from './sweep.ts';

/** Milliseconds between two sweeps. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/**
 * Sweeps leftover uploads after the start and then hourly, and measures the recordings of older
 * versions after the start.
 */
export async function registerMediaSweep(app: App, ctx: Context): Promise<void> {
  await createMediaFolders(ctx.config);
  const sweeper = createSweeper(ctx);
  const stopping = new AbortController();
  let running = Promise.resolve();

  const run = () => {
    running = running
      .then(() => sweeper.sweep(stopping.signal))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'failed to sweep leftover uploads'));
  };
  const measure = () => {
    running = running
      .then(() => measureRecordings(ctx, stopping.signal))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'failed to measure recordings'));
  };
  let timer: NodeJS.Timeout | undefined;
  // Wait until the server listens, so that this does not delay the start.
  app.addHook('onListen', async () => {
    run();
    measure();
    timer = setInterval(run, SWEEP_INTERVAL);
    timer.unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
