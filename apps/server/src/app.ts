import Fastify, { LogController } from 'fastify';
import { registerAccountRoutes } from './accounts/account.routes.ts';
import { registerAvatarRoutes } from './avatars/avatar.routes.ts';
import { registerChatroomRoutes } from './chatrooms/chatroom.routes.ts';
import type { Context, App } from './context.ts';
import { registerHealthRoutes } from './health/health.routes.ts';
import { registerDocsRoutes } from './docs/docs.routes.ts';
import { registerOpenApi } from './docs/openapi.ts';
import { registerMail } from './mail/mail.plugin.ts';
import { registerMediaSweep } from './media/media.plugin.ts';
import { registerMediaRoutes } from './media/media.routes.ts';
import { registerUploadRoutes } from './media/upload.routes.ts';
import { registerMessageRoutes } from './messages/message.routes.ts';
import { registerMetrics } from './metrics/metrics.routes.ts';
import { registerOutsideEvents } from './operator/outside-events.plugin.ts';
import { registerAccess } from './plugins/access.ts';
import { answerError, registerErrors } from './plugins/errors.ts';
import { registerOriginCheck } from './plugins/origin.ts';
import { registerRateLimits } from './plugins/rate-limits.ts';
import { registerSecurityHeaders } from './plugins/security-headers.ts';
import { serializerCompiler } from './plugins/serialization.ts';
import { registerSession } from './plugins/session.ts';
import { trustedProxy } from './plugins/trusted-proxy.ts';
import { validatorCompiler } from './plugins/validation.ts';
import { registerWebClient } from './plugins/web-client.ts';
import { registerPublicConfigRoutes } from './public-config/public-config.routes.ts';
import { registerRetention } from './retention/retention.plugin.ts';
import { registerSessionRoutes } from './sessions/session.routes.ts';
import type { WebFiles } from './web-client/web-pack.ts';
import { isLiveUpgrade, registerRealtime } from './realtime/realtime.routes.ts';

/** In milliseconds; far more than any answer takes to be made. */
const CONNECTION_SILENCE_MAX = 120_000;

/** Registers the plugins and features by name. Reading it top to bottom is the map of the server. */
export async function buildApp(ctx: Context, webFiles: WebFiles): Promise<App> {
  const app: App = Fastify({
    loggerInstance: ctx.log,
    // Lines of our own say as much in less, without addresses of people.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxy(ctx.config),
    bodyLimit: 256 * 1024,
    frameworkErrors: answerError,
    // For the whole request: ten megabytes take this long over a slow line. Headers have a minute.
    requestTimeout: 300_000,
    // Without a byte either way: a reader that stands still would keep its answer, and its file, open.
    connectionTimeout: CONNECTION_SILENCE_MAX,
    keepAliveTimeout: 72_000,
    // Connections that are idle end at once; requests under way are finished.
    forceCloseConnections: 'idle',
    http: { shouldUpgradeCallback: isLiveUpgrade },
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app);
  registerSecurityHeaders(app);
  registerOriginCheck(app, ctx);
  await registerSession(app, ctx);
  await registerRateLimits(app, ctx);
  await registerOpenApi(app);
  registerMail(app, ctx);
  registerMetrics(app, ctx);
  registerHealthRoutes(app, ctx);

  await app.register(
    async (api: App) => {
      registerAccess(api);
      registerPublicConfigRoutes(api, ctx);
      registerDocsRoutes(api, webFiles);
      registerAvatarRoutes(api);
      registerUploadRoutes(api, ctx);
      registerAccountRoutes(api, ctx);
      registerSessionRoutes(api, ctx);
      registerChatroomRoutes(api, ctx);
      registerMessageRoutes(api, ctx);
    },
    { prefix: '/api' },
  );
  await registerRealtime(app, ctx);

  await registerMediaSweep(app, ctx);
  registerRetention(app, ctx);
  registerOutsideEvents(app, ctx);
  registerMediaRoutes(app, ctx);
  registerWebClient(app, ctx, webFiles);

  return app;
}
