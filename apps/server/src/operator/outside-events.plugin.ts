import type { App, Context } from '../context.ts';
import { takeEvents } from './outside-event.repository.ts';

/** How often the server looks whether another process has written, in milliseconds. */
const LOOK_EVERY = 1_000;

/** Publishes what commands of an operator did, so that people who are connected see it live. */
export function registerOutsideEvents(app: App, ctx: Context): void {
  let timer: NodeJS.Timeout | undefined;
  let seen: number | undefined;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const version = ctx.storage.foreignVersion();
    if (version === seen) return;
    await ctx.storage.write(async ({ trx, emit }) => {
      for (const event of await takeEvents(trx)) emit(event);
    });
    seen = version;
  }

  app.addHook('onReady', async () => {
    timer = setInterval(() => {
      looking = look().catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'changes of another process could not be read');
      });
    }, LOOK_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await looking;
  });
}
