import type { App, Context } from '../context.ts';
import { inspectOutdatedImages } from './reinspection.service.ts';

/** After the start, inspects images that were stored under older rules. Later starts find none. */
export function registerReinspection(app: App, ctx: Context): void {
  const stopping = new AbortController();
  let running = Promise.resolve();
  // Wait until the server listens, so that this does not delay the start.
  app.addHook('onListen', async () => {
    running = inspectOutdatedImages(ctx, stopping.signal).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'failed to inspect stored images'),
    );
  });
  app.addHook('onClose', async () => {
    stopping.abort();
    await running;
  });
}
