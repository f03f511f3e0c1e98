import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { changeNotificationSettings, getSettings } from './notification-settings.service.ts';
import type { Push } from './push.service.ts';
import { listDevices, subscribe, unsubscribe } from './subscription.service.ts';

/** Maximum length of the origin of a page. */
const SITE_MAX = 300;

/** Registers the endpoints for the settings of notifications and for push subscriptions. */
export function registerNotificationRoutes(
  app: App,
  ctx: Context,
  push: Pick<Push, 'publicKey' | 'test'>,
): void {
  registerEndpoint(app, 'getNotifications', async (request) => {
    const session = getCurrentSession(request);
    const [settings, devices] = await Promise.all([
      getSettings(ctx, session.userId),
      listDevices(ctx, session),
    ]);
    return { settings, publicKey: push.publicKey, devices };
  });
  registerEndpoint(app, 'changeNotifications', async (request) =>
    changeNotificationSettings(ctx, getCurrentSession(request).userId, request.body),
  );
  registerEndpoint(app, 'subscribePush', async (request) => {
    await subscribe(ctx, getCurrentSession(request), siteOf(request, ctx), request.body);
    return { ok: true as const };
  });
  registerEndpoint(app, 'unsubscribePush', async (request) => {
    await unsubscribe(ctx, getCurrentSession(request).sessionId);
    return { ok: true as const };
  });
  registerEndpoint(app, 'testPush', async (request) => {
    const session = getCurrentSession(request);
    const sessionId = request.body?.sessionId?.toLowerCase() ?? session.sessionId;
    return push.test(session, sessionId);
  });
}

/** Returns the origin of the page. */
function siteOf(request: FastifyRequest, { config }: Pick<Context, 'config'>): string {
  const site = config.publicUrl ?? `${request.protocol}://${request.host}`;
  if (site.length > SITE_MAX) throw new AppError('invalid_request');
  return site;
}
