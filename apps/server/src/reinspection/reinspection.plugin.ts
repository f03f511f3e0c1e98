import type { App, Context } from '../context.ts';
import { inspectOutdatedPictures } from './reinspection.service.ts';

/** After an upgrade, inspects pictures that were stored under older rules; later starts find none. */
export function registerReinspection(app: App, ctx: Context): void {
  const stopping = new AbortController();
  let running = Promise.resolve();
  // Only once it answers: nobody waits for this.
  app.addHook('onListen', async () => {
    running = inspectOutdatedPictures(ctx, stopping.signal).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'stored pictures not inspected'),
    );
  });
  app.addHook('onClose', async () => {
    stopping.abort();
    await running;
  });
}
