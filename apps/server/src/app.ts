import { SHORT_BODY_MAX } from '@parley/contract/schemas';
import Fastify, { LogController } from 'fastify';
import { registerAccountRoutes } from './accounts/account.routes.ts';
import { registerAvatarRoutes } from './avatars/avatar.routes.ts';
import { registerChatSettingsRoutes } from './chatrooms/chat-settings.routes.ts';
import { registerConsentRoutes } from './chatrooms/consent.routes.ts';
import { registerInvitationRoutes } from './invitations/invitation.routes.ts';
import { canRegisterWith } from './invitations/invitation.service.ts';
import { registerReportRoutes } from './reports/report.routes.ts';
import { createReportSweepJob } from './reports/report-sweep.job.ts';
import { registerChatroomRoutes } from './chatrooms/chatroom.routes.ts';
import { createClockJob } from './clock/clock.job.ts';
import type { Context, App } from './context.ts';
import { loadSecret } from './storage/secret.ts';
import { findKnownAccount } from './devices/device.service.ts';
import { createKnownDevices } from './devices/known-devices.ts';
import { createErasureJob } from './erasure/erasure.job.ts';
import { registerExportRoutes } from './exports/export.routes.ts';
import { createExportJob } from './exports/exports.job.ts';
import { registerEmojiRoutes } from './emoji/emoji.routes.ts';
import { openEmojiImages } from './emoji/emoji-images.ts';
import { registerHealthRoutes } from './health/health.routes.ts';
import { createHttpServer } from './http/http-server.ts';
import { registerJsonParser } from './http/json-parser.ts';
import { registerDocsRoutes } from './docs/docs.routes.ts';
import { registerOpenApi } from './docs/openapi.ts';
import { registerJobs } from './jobs/jobs.plugin.ts';
import { createMailJob } from './mail/mail.job.ts';
import { createLocalSweepJob, createMeasurementJob, createSweepJob } from './media/media.jobs.ts';
import { registerMediaRoutes } from './media/media.routes.ts';
import { registerUploadRoutes } from './media/upload.routes.ts';
import { createClaimJob } from './media/claim-store.ts';
import { createMediaFolders } from './media-store/media-folders.ts';
import { registerMessageRoutes } from './messages/message.routes.ts';
import { registerNotificationRoutes } from './notifications/notification.routes.ts';
import { startPush } from './notifications/push.service.ts';
import { createSubscriptionSweepJob } from './notifications/subscription-sweep.job.ts';
import { registerMetrics } from './health/metrics.routes.ts';
import { registerOperator } from './operator/operator.plugin.ts';
import { registerAccess } from './plugins/access.ts';
import { createCounterSweepJob } from './plugins/counter-sweep.job.ts';
import { registerCompression } from './plugins/compression.ts';
import { registerEntityTags } from './plugins/entity-tags.ts';
import { handleError, registerErrors } from './plugins/error-handler.ts';
import { registerHeavyReads } from './plugins/heavy-reads.ts';
import { registerLongBodies } from './plugins/long-bodies.ts';
import { registerOriginCheck } from './plugins/origin-check.ts';
import { registerRateLimits } from './plugins/rate-limits.ts';
import { registerSecurityHeaders } from './plugins/security-headers.ts';
import { serializerCompiler } from './plugins/serialization.ts';
import { registerSession } from './sessions/session.plugin.ts';
import { createTrustProxy } from './plugins/trusted-proxy.ts';
import { registerUnsentResponses } from './plugins/unsent-responses.ts';
import { validatorCompiler } from './plugins/validation.ts';
import { registerWebClient } from './web-client/web-client.plugin.ts';
import { registerPublicProbe } from './public-probe/public-probe.plugin.ts';
import { registerPublicConfigRoutes } from './public-config/public-config.routes.ts';
import { registerReceiptRoutes } from './receipts/receipt.routes.ts';
import { createReinspectionJob } from './reinspection/reinspection.job.ts';
import { createFileRetentionJob, createRetentionJob } from './retention/retention.job.ts';
import { readBuiltFile } from './single-binary/built-files.ts';
import { runInTurn } from './scheduling/time-slices.ts';
import { createIndexingJob } from './search/indexing.job.ts';
import { registerSearchRoutes } from './search/search.routes.ts';
import { createEmailSweepJob } from './accounts/email-sweep.job.ts';
import { createSessionSweepJob } from './sessions/session-sweep.job.ts';
import { registerSessionRoutes } from './sessions/session.routes.ts';
import type { WebFiles } from './web-client/web-pack.ts';
import { registerRealtime } from './realtime/realtime.routes.ts';

/** Creates the Fastify app with all plugins and features. */
export async function buildApp(ctx: Context, webFiles: WebFiles): Promise<App> {
  const app: App = Fastify({
    loggerInstance: ctx.log,
    // Requests are logged by `registerMetrics`, without IP addresses.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: createTrustProxy(ctx.config),
    bodyLimit: SHORT_BODY_MAX,
    frameworkErrors: handleError,
    // On close, idle connections are closed immediately and pending requests are finished.
    forceCloseConnections: 'idle',
    serverFactory: createHttpServer,
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Like other requests (see `createHttpServer`), websocket upgrades share time slices.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers.upgrade === undefined) done();
    else runInTurn(done);
  });
  registerJsonParser(app);
  closeConnectionsAtEnd(app);
  registerErrors(app);
  registerSecurityHeaders(app);
  registerEntityTags(app);
  registerCompression(app);
  registerUnsentResponses(app);
  await registerPublicProbe(app, ctx);
  registerOriginCheck(app, ctx);
  await registerSession(app, ctx);
  registerAccess(app);
  const devices = createKnownDevices(await loadSecret(ctx.storage, 'device'));
  await registerRateLimits(app, ctx, {
    findKnownAccount: (request, email) => findKnownAccount(ctx, devices, request, email),
    isInvitation: (code) => ctx.storage.read((db) => canRegisterWith(db, ctx.config, code)),
  });
  registerHeavyReads(app);
  registerLongBodies(app);
  await registerOpenApi(app);
  registerMetrics(app, ctx);
  registerHealthRoutes(app, ctx);

  const emojiPictures = openEmojiImages((name) => readBuiltFile(name, import.meta.dirname));
  await registerPublicConfigRoutes(app, ctx);
  registerDocsRoutes(app, webFiles);
  registerAvatarRoutes(app);
  registerEmojiRoutes(app, emojiPictures);
  registerUploadRoutes(app, ctx);
  registerAccountRoutes(app, ctx, devices);
  registerSessionRoutes(app, ctx, devices);
  registerChatroomRoutes(app, ctx);
  registerConsentRoutes(app, ctx);
  registerChatSettingsRoutes(app, ctx);
  registerReceiptRoutes(app, ctx);
  registerMessageRoutes(app, ctx);
  registerSearchRoutes(app, ctx);
  const codeSecret = await loadSecret(ctx.storage, 'invitations');
  registerInvitationRoutes(app, ctx, codeSecret);
  registerExportRoutes(app, ctx);
  registerReportRoutes(app, ctx);
  const push = await startPush(ctx);
  // Runs after the jobs have ended.
  app.addHook('onClose', () => push.stop());
  registerNotificationRoutes(app, ctx, push);
  await registerRealtime(app, ctx, push.views);

  await createMediaFolders(ctx.config);
  registerMediaRoutes(app, ctx);
  registerWebClient(app, ctx, webFiles);
  registerOperator(app, ctx);
  registerJobs(app, ctx, {
    leader: [
      createClockJob(ctx),
      createMailJob(ctx),
      push.job,
      createErasureJob(ctx),
      createExportJob(ctx, codeSecret),
      createSessionSweepJob(ctx),
      createEmailSweepJob(ctx),
      createSubscriptionSweepJob(ctx),
      createReportSweepJob(ctx),
      createSweepJob(ctx),
      createMeasurementJob(ctx),
      createReinspectionJob(ctx),
      createRetentionJob(ctx),
      createIndexingJob(ctx),
      createCounterSweepJob(ctx),
    ],
    local: [createClaimJob(ctx), createLocalSweepJob(ctx), createFileRetentionJob(ctx)],
  });

  return app;
}

/** Closes the connections of requests that are answered while the server closes. */
function closeConnectionsAtEnd(app: App): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    // This connection is idle only after the event.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}
