import type { App, Context } from '../context.ts';
import { removeOldWorkFolders } from '../files/work-folder.ts';
import { getOutboxFolder, removeOldMails } from '../mail/outbox-delivery.ts';
import { createRetention } from './retention.service.ts';

/** Milliseconds between two runs. */
const RUN_INTERVAL = 60 * 60 * 1000;

/** Maximum age in days of mails written to files; shorter if messages are kept for a shorter time. */
const MAIL_MAX_AGE_DAYS = 30;

/** Age in days at which leftovers of a backup or restore are deleted. */
const LEFTOVER_MAX_AGE_DAYS = 7;

const DAY = 24 * 60 * 60 * 1000;

/** Deletes expired data after the start and then hourly. */
export function registerRetention(app: App, ctx: Context): void {
  const { retentionDays, dataDir } = ctx.config;
  const retention = retentionDays === undefined ? undefined : createRetention(ctx, retentionDays);
  const stopping = new AbortController();
  let running = Promise.resolve();

  const mailDays = Math.min(MAIL_MAX_AGE_DAYS, retentionDays ?? MAIL_MAX_AGE_DAYS);
  const steps = [
    async () => ctx.storage.deleteOldSnapshots(Date.now()),
    async () => removeOldWorkFolders(dataDir, Date.now() - LEFTOVER_MAX_AGE_DAYS * DAY),
    async () => removeOldMails(getOutboxFolder(ctx.config), Date.now() - mailDays * DAY),
    async () => retention?.apply(stopping.signal),
  ];
  // A step that fails, for example because of a folder of another user, does not prevent the others.
  async function runSteps(): Promise<void> {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        ctx.log.error({ err: error }, 'failed to delete expired data');
      }
    }
  }
  const run = () => {
    running = running.then(runSteps);
  };
  let timer: NodeJS.Timeout | undefined;
  // Wait until the server listens, so that this does not delay the start.
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, RUN_INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  });
}
