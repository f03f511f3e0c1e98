import { clientSignals } from '@parley/contract/schemas';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { App, Context } from '../context.ts';
import { createRouteOptions } from '../http/register-endpoint.ts';
import { AppError } from '../errors/app-error.ts';
import { addGauge } from '../metrics/metrics.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { createConnections } from './connections.ts';
import { startFanOut } from './fan-out.ts';
import { findHandshakeRefusal } from './handshake.ts';
import { LiveSocket } from './live-socket.ts';
import { encodeEvent } from './packets.ts';
import { LIVE_LIMITS, type LiveLimits } from './live-limits.ts';
import { createConnectionContext } from './connection-context.ts';
import { createSignalHandlers } from './signal-handlers.ts';
import { createSignalReceiver } from './signals.ts';
import type { ViewTracker } from '../notifications/view-tracker.ts';
import { createPresenceNotifier } from '../presence/presence.service.ts';
import { createTypingNotifier } from '../typing/typing.service.ts';
import { isSessionActive } from '../sessions/session.service.ts';

/**
 * Seconds after which a silently lost connection is detected and no longer counts towards the
 * limit.
 */
const RETRY_AFTER = 45;

/** Registers the live connection. An upgrade passes all HTTP hooks before its websocket opens. */
export async function registerRealtime(
  app: App,
  ctx: Context,
  views: Pick<ViewTracker, 'report' | 'forget'>,
  limits: LiveLimits = LIVE_LIMITS,
): Promise<void> {
  const connections = createConnections(limits);
  const typing = createTypingNotifier(ctx);
  const presence = createPresenceNotifier({
    ...ctx,
    send: (userId, event) => {
      const frame = encodeEvent('presence', event);
      for (const connection of listFollowing(connections.listByUser(userId))) {
        connection.sendEvent(frame);
      }
    },
  });
  const context = createConnectionContext({
    limits,
    log: ctx.log,
    isSessionActive: (sessionId) => isSessionActive(ctx, sessionId),
    receiveSignal: createSignalReceiver(
      clientSignals,
      createSignalHandlers({ typing, presence, views }),
    ),
    onClosed: (connection) => {
      views.forget(connection);
      const { userId, isActive } = connection;
      connections.remove(connection);
      if (isActive === true) presence.deactivate(userId);
      if (listFollowing(connections.listByUser(userId)).length === 0) presence.unfollow(userId);
    },
  });
  const stopFanOut = startFanOut(ctx, connections);
  addGauge(ctx.metrics, 'parley_connections', 'Live connections', () => connections.size);
  let isClosing = false;

  await app.register(async (live: App) => {
    await live.register(fastifyWebsocket, {
      options: socketOptions(limits),
      preClose: (done) => {
        isClosing = true;
        stopFanOut();
        typing.stop();
        // Clients that connect from now on are disconnected, and reconnect later.
        app.server.removeAllListeners('upgrade');
        // Before the connections close, so that the users count as online until now.
        void presence.stop().finally(done);
        for (const connection of connections.all()) connection.close('shutdown');
      },
    });

    // Node keeps the socket of a refused upgrade open after the HTTP response.
    const upgrades = new WeakSet<IncomingMessage>();
    app.server.prependListener('upgrade', (request: IncomingMessage) => upgrades.add(request));
    live.addHook('onSend', async ({ raw }, reply) => {
      if (upgrades.has(raw)) reply.header('connection', 'close');
    });
    live.addHook('onResponse', async ({ raw }) => {
      if (upgrades.has(raw)) raw.socket.destroy();
    });

    // Runs before the session check, so that a proxy that drops upgrades can be diagnosed without a
    // session.
    live.addHook('onRequest', async (request, reply) => {
      const refusal = findHandshakeRefusal(request.query, request.ws);
      if (refusal?.code === 3) await reply.status(400).send(refusal);
    });

    live.route({
      ...createRouteOptions('connect'),
      websocket: true,
      onRequest: async (request, reply) => {
        const refusal = findHandshakeRefusal(request.query, request.ws);
        if (refusal !== undefined) await reply.status(400).send(refusal);
      },
      // Runs last and synchronously, so the limit still holds when the handler runs.
      preHandler: (request, reply, done) => {
        const reachedLimit = connections.findReachedLimit(getCurrentSession(request).userId);
        // Without events of other processes, the client would miss messages.
        const isUnavailable = isClosing || !ctx.cluster.isReceivingEvents;
        if (isUnavailable || reachedLimit === 'server') return done(new AppError('unavailable'));
        if (reachedLimit === 'user') {
          return done(new AppError('rate_limited', { retryAfter: RETRY_AFTER }));
        }
        releaseResponse(reply);
        return done();
      },
      handler: (socket, request) => {
        // The plugin's own listener would keep the request in memory as long as the connection.
        socket.removeAllListeners('error');
        const connection = new LiveSocket(
          context,
          socket,
          request.raw.socket,
          getCurrentSession(request),
        );
        connections.add(connection);
        connection.open();
      },
    });
  });
}

/** Returns the connections that follow the presence of partners. */
function listFollowing(connections: readonly LiveSocket[]): LiveSocket[] {
  return connections.filter(({ isActive }) => isActive !== undefined);
}

/**
 * Detaches the HTTP response from its socket. Otherwise each connection would keep 5 KiB in memory.
 */
function releaseResponse({ raw }: FastifyReply): void {
  if (raw.socket !== null) raw.detachSocket(raw.socket);
}

function socketOptions(limits: LiveLimits) {
  return {
    maxPayload: limits.maxPayload,
    maxFragments: 16,
    closeTimeout: limits.closeTimeout,
    // The packet limit also counts pings, and closes the connection with a reason.
    maxPendingAutoPongs: 0,
    // Compression needs more memory per connection than everything else and saves little on short
    // messages.
    perMessageDeflate: false,
    clientTracking: false,
  };
}
