import type { Context } from '../context.ts';
import { removeLeftovers, removeOldWorkFolders } from '../files/work-folder.ts';
import { createExpiryJob } from '../jobs/repeat.ts';
import { getMailFolder, removeOldMails } from '../mail/folder-delivery.ts';
import type { Job } from '../storage/cluster.ts';
import { createRetention } from './retention.service.ts';

/** Milliseconds between two runs. */
const RUN_INTERVAL = 60 * 60 * 1000;

/**
 * Maximum age in days of mails written to files; shorter if messages are kept for a shorter time.
 */
const MAIL_MAX_AGE_DAYS = 30;

/** Age in days at which leftovers of a backup or restore are deleted. */
const LEFTOVER_MAX_AGE_DAYS = 7;

const DAY = 24 * 60 * 60 * 1000;

/** Creates the job that deletes expired messages hourly. */
export function createRetentionJob(ctx: Context): Job {
  const { retentionDays } = ctx.config;
  if (retentionDays === undefined) return () => Promise.resolve();
  const retention = createRetention(ctx, retentionDays);
  return createExpiryJob(
    ctx,
    (signal) => runStep(ctx, () => retention.apply(signal)),
    RUN_INTERVAL,
  );
}

/** Creates the job that deletes expired files in the data folder hourly. */
export function createFileRetentionJob(ctx: Context): Job {
  const { retentionDays, dataDir } = ctx.config;
  const mailDays = Math.min(MAIL_MAX_AGE_DAYS, retentionDays ?? MAIL_MAX_AGE_DAYS);
  const steps = [
    async () => ctx.maintenance.deleteOldSnapshots(Date.now()),
    async () => removeLeftovers(dataDir),
    async () => removeOldWorkFolders(dataDir, Date.now() - LEFTOVER_MAX_AGE_DAYS * DAY),
    async () => removeOldMails(getMailFolder(ctx.config), Date.now() - mailDays * DAY),
  ];
  return createExpiryJob(
    ctx,
    async () => {
      for (const step of steps) await runStep(ctx, step);
    },
    RUN_INTERVAL,
  );
}

/**
 * A step that fails, for example because of a folder of another user, does not prevent the others.
 */
async function runStep({ log }: Context, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error({ err: error }, 'failed to delete expired data');
  }
}
