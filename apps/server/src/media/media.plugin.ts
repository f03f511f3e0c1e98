import type { App, Context } from '../context.ts';
import { measureRecordings } from './measure-recordings.ts';
import { makeMediaFolders } from './media-store.ts';
import { createSweeper } from './sweep.ts';

/** Milliseconds from one sweep to the next. */
const INTERVAL = 60 * 60 * 1000;

/**
 * Keeps the media folder free of left-overs for as long as the app runs: at the start and hourly. At
 * the start, it also measures the recordings of older versions.
 */
export async function registerMediaSweep(app: App, ctx: Context): Promise<void> {
  await makeMediaFolders(ctx.config);
  const sweeper = createSweeper(ctx);
  const stopping = new AbortController();
  let running = Promise.resolve();

  const run = () => {
    running = running
      .then(() => sweeper.sweep(stopping.signal))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'left-over uploads not swept'));
  };
  const measure = () => {
    running = running
      .then(() => measureRecordings(ctx, stopping.signal))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'recordings not measured'));
  };
  let timer: NodeJS.Timeout | undefined;
  // Only once it answers: nobody waits for this.
  app.addHook('onListen', async () => {
    run();
    measure();
    timer = setInterval(run, INTERVAL);
    timer.unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
