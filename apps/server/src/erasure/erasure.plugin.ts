import type { App, Context } from '../context.ts';
import { eraseQueued } from './eraser.ts';

/** Milliseconds between two periodic runs. */
const RUN_INTERVAL = 60_000;

/**
 * Erases what the queue contains, such as data of deleted accounts and files of deleted uploads:
 * after the server starts, whenever an erasure is queued, and every minute. Each run also truncates
 * the database's write-ahead log, which until then contains deleted texts and the previous versions
 * of edited ones.
 */
export function registerErasure(app: App, ctx: Context): void {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** Whether a run is scheduled but has not started; further requests share it. */
  let isScheduled = false;

  async function run(): Promise<void> {
    isScheduled = false;
    if (stopping.signal.aborted) return;
    try {
      await eraseQueued(ctx, stopping.signal);
      if (!(await ctx.storage.truncateWriteAheadLog())) {
        ctx.log.debug('the write-ahead log is in use and will be truncated later');
      }
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to erase deleted data, will retry');
    }
  }
  const scheduleRun = () => {
    if (isScheduled) return;
    isScheduled = true;
    running = running.then(run);
  };

  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  app.addHook('onReady', async () => {
    unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'erasure-queued') scheduleRun();
    });
  });
  // Waits until the server listens, so that erasing does not delay the start.
  app.addHook('onListen', async () => {
    scheduleRun();
    timer = setInterval(scheduleRun, RUN_INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    unsubscribe();
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
