import type { Context } from '../context.ts';
import type { Job } from '../storage/cluster.ts';
import { sendQueuedMails } from './mail-sender.ts';
import { createFolderDelivery, getMailFolder } from './folder-delivery.ts';
import { createSmtpDelivery } from './smtp-delivery.ts';

/** Creates the job that delivers queued mails. */
export function createMailJob(ctx: Context): Job {
  const { smtpUrl, mailFrom } = ctx.config;
  return async (signal, closing) => {
    const delivery =
      smtpUrl === undefined
        ? createFolderDelivery(getMailFolder(ctx.config), mailFrom, ctx.log)
        : createSmtpDelivery(smtpUrl, mailFrom);
    await sendQueuedMails(ctx, delivery, signal, closing);
  };
}
