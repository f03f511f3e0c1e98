import type { App, Context } from '../context.ts';
import { removeOldWork } from '../files/work-folder.ts';
import { outboxFolder, removeOldMails } from '../mail/outbox-delivery.ts';
import { createRetention } from './retention.service.ts';

/** Milliseconds from one look to the next. */
const INTERVAL = 60 * 60 * 1000;

/** Mails that were written to files stay 30 days, or as long as messages if that is shorter. */
const MAIL_DAYS_MAX = 30;

/** A backup that takes longer was cut off. */
const WORK_DAYS_MAX = 7;

const DAY = 24 * 60 * 60 * 1000;

/** Deletes what is kept for a time only, for as long as the app runs: at the start and hourly. */
export function registerRetention(app: App, ctx: Context): void {
  const { retentionDays, dataDir } = ctx.config;
  const retention = retentionDays === undefined ? undefined : createRetention(ctx, retentionDays);
  const stopping = new AbortController();
  let running = Promise.resolve();

  const mailDays = Math.min(MAIL_DAYS_MAX, retentionDays ?? MAIL_DAYS_MAX);
  const steps = [
    async () => ctx.storage.deleteOldSnapshots(Date.now()),
    async () => removeOldWork(dataDir, Date.now() - WORK_DAYS_MAX * DAY),
    async () => removeOldMails(outboxFolder(ctx.config), Date.now() - mailDays * DAY),
    async () => retention?.apply(stopping.signal),
  ];
  // One that fails, as with a folder that is somebody else's, does not keep the others from theirs.
  async function look(): Promise<void> {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        ctx.log.error({ err: error }, 'what is too old was not deleted');
      }
    }
  }
  const run = () => {
    running = running.then(look);
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
