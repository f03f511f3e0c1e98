import type { App, Context } from '../context.ts';
import { eraseQueued } from './eraser.ts';

/** Milliseconds after which the database's log is emptied, and what is left on the list is tried again. */
const INTERVAL = 60_000;

/**
 * Erases what deleted accounts and uploads leave, for as long as the app runs: at the start, when there
 * is something new, and every minute. Empties the database's log each time, as it keeps what was
 * deleted or edited until then.
 */
export function registerErasure(app: App, ctx: Context): void {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** One run that has not begun does for all who ask for one. */
  let isWaiting = false;

  async function run(): Promise<void> {
    isWaiting = false;
    if (stopping.signal.aborted) return;
    try {
      await eraseQueued(ctx, stopping.signal);
      if (!(await ctx.storage.cutLog())) {
        ctx.log.debug('the log of the database is in use and is emptied later');
      }
    } catch (error) {
      ctx.log.error({ err: error }, 'what was deleted could not be erased yet');
    }
  }
  const request = () => {
    if (isWaiting) return;
    isWaiting = true;
    running = running.then(run);
  };

  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  app.addHook('onReady', async () => {
    unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'erasure-queued') request();
    });
  });
  // Only once it listens: no request waits for this.
  app.addHook('onListen', async () => {
    request();
    timer = setInterval(request, INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    unsubscribe();
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
