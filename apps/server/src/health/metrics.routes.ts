import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import type { Config } from '../config.ts';
import type { App, Context } from '../context.ts';
import { sendError } from '../plugins/error-handler.ts';
import { isLoopbackAddress, isLoopbackHost } from '../http/loopback.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getFreeBytes } from '../files/free-bytes.ts';
import { countQueuedMails } from '../mail/mail.service.ts';
import { addGauge } from '../metrics/metrics.ts';
import { readMediaUsage } from '../quotas/quota.service.ts';
import { countUnindexed } from '../search/indexing.service.ts';
import { countOpenReports } from '../reports/report.service.ts';
import { reuseFor } from '../scheduling/reuse-for.ts';

/** Sampling interval of the event loop delay, in milliseconds. */
const LOOP_RESOLUTION = 20;

/** Milliseconds for which a value is reused that takes long to read. */
const REUSED_FOR = 60_000;

/**
 * Registers `GET /metrics` for Prometheus. With a configured token, callers must send it. Without
 * one, only requests from this machine to a loopback host name are allowed, and none if a public URL or a
 * trusted proxy is configured: a proxy on this machine may add no headers and replace the host.
 */
export function registerMetrics(app: App, ctx: Context): void {
  const { metrics, config } = ctx;
  // Memory, CPU, garbage collection and event loop delay.
  collectDefaultMetrics({
    register: metrics.registry,
    eventLoopMonitoringPrecision: LOOP_RESOLUTION,
  });
  addServerGauges(ctx);

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { elapsedTime: ms, statusCode: status } = reply;
    metrics.recordResponse(request.method, route, status, ms / 1000);
    // Logs the route pattern instead of the URL, which may contain ids.
    request.log.debug({ method: request.method, route, status, ms: Math.round(ms) }, 'request');
    done();
  });

  registerEndpoint(app, 'getMetrics', async (request, reply) => {
    if (!canReadMetrics(request, config)) return sendError(request, reply, 'not_found');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function addServerGauges(ctx: Context): void {
  const { metrics, config, storage, maintenance } = ctx;
  addGauge(
    metrics,
    'parley_db_queue_depth',
    'Writes that wait for their commit',
    () => maintenance.writeQueueDepth,
  );
  addGauge(metrics, 'parley_mail_queue', 'Mails that wait to be handed over', () =>
    countQueuedMails(ctx),
  );
  addGauge(
    metrics,
    'parley_media_bytes',
    'Size of all uploads',
    async () => (await readMediaUsage(ctx)).bytes,
  );
  addGauge(
    metrics,
    'parley_media_files',
    'Number of uploads',
    async () => (await readMediaUsage(ctx)).files,
  );
  addGauge(
    metrics,
    'parley_reports_open',
    'Reports of users that the operator has not closed',
    () => storage.read((db) => countOpenReports(db)),
  );
  addGauge(
    metrics,
    'parley_search_unindexed_messages',
    'Messages that wait for the search index, as all do after an upgrade from a version without it',
    // Looks at every chatroom.
    reuseFor(REUSED_FOR, () => countUnindexed(storage)),
  );
  addGauge(metrics, 'parley_db_bytes', 'Size of the database with its log', () =>
    maintenance.size(),
  );
  addGauge(metrics, 'parley_disk_free_bytes', 'Free space where the data folder is', () =>
    getFreeBytes(config.dataDir),
  );
}

/** Headers that reverse proxies add. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

function canReadMetrics(
  request: FastifyRequest,
  { metricsToken, publicUrl, trustProxy }: Config,
): boolean {
  if (metricsToken !== undefined) {
    const actual = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(hashToken(actual), hashToken(metricsToken));
  }
  const isPublic = publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).host);
  if (isPublic || trustProxy !== false) return false;
  return (
    isLoopbackAddress(request.socket.remoteAddress ?? '') &&
    FORWARDED.every((name) => request.headers[name] === undefined) &&
    isLoopbackHost(request.headers.host ?? '')
  );
}

function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
