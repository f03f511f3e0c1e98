import type { App, Context } from '../context.ts';
import { startMailSender } from './mail-sender.ts';
import { createOutboxDelivery, getOutboxFolder } from './outbox-delivery.ts';
import { createSmtpDelivery } from './smtp-delivery.ts';

/** Delivers queued mails while the app runs. */
export function registerMail(app: App, ctx: Context): void {
  let stop: (() => Promise<void>) | undefined;
  app.addHook('onReady', async () => {
    const { smtpUrl, mailFrom } = ctx.config;
    const delivery =
      smtpUrl === undefined
        ? createOutboxDelivery(getOutboxFolder(ctx.config), mailFrom, ctx.log)
        : createSmtpDelivery(smtpUrl, mailFrom);
    const sender = startMailSender(ctx, delivery);
    const unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'mail-queued') sender.wake();
    });
    stop = () => {
      unsubscribe();
      return sender.stop();
    };
  });
  app.addHook('onClose', async () => {
    await stop?.();
  });
}
