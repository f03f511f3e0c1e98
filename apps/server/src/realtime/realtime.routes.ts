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
import { LIVE_LIMITS, type LiveLimits } from './live-limits.ts';
import { createConnectionContext } from './connection-context.ts';
import { isSessionActive } from '../sessions/session.service.ts';

/** Seconds after which a connection that is gone without a word no longer counts. */
const RETRY_AFTER = 45;

/** The live connection. All hooks of HTTP have let an upgrade pass before its websocket opens. */
export async function registerRealtime(
  app: App,
  ctx: Context,
  limits: LiveLimits = LIVE_LIMITS,
): Promise<void> {
  const connections = createConnections(limits);
  const context = createConnectionContext({
    limits,
    log: ctx.log,
    isSessionActive: (sessionId) => isSessionActive(ctx, sessionId),
    onClosed: (connection) => connections.remove(connection),
  });
  const stopFanOut = startFanOut(ctx.events, connections, ctx.metrics);
  addGauge(ctx.metrics, 'parley_connections', 'Live connections', () => connections.size);
  let isClosing = false;

  await app.register(async (live: App) => {
    await live.register(fastifyWebsocket, {
      options: socketOptions(limits),
      preClose: (done) => {
        isClosing = true;
        stopFanOut();
        // Whoever comes now is cut and comes back.
        app.server.removeAllListeners('upgrade');
        for (const connection of connections.all()) connection.close('shutdown');
        done();
      },
    });

    // Node leaves the socket of an upgrade open after an answer that is no websocket.
    const upgrades = new WeakSet<IncomingMessage>();
    app.server.prependListener('upgrade', (request: IncomingMessage) => upgrades.add(request));
    live.addHook('onSend', async ({ raw }, reply) => {
      if (upgrades.has(raw)) reply.header('connection', 'close');
    });
    live.addHook('onResponse', async ({ raw }) => {
      if (upgrades.has(raw)) raw.socket.destroy();
    });

    // Before the session is checked: anybody may learn that a proxy on the way does not pass upgrades on.
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
      // The last hook, and synchronous: nothing happens between it and the handler.
      preHandler: (request, reply, done) => {
        const bound = connections.findReachedLimit(getCurrentSession(request).userId);
        if (isClosing || bound === 'server') return done(new AppError('unavailable'));
        if (bound === 'user') {
          return done(new AppError('rate_limited', { retryAfter: RETRY_AFTER }));
        }
        releaseResponse(reply);
        return done();
      },
      handler: (socket, request) => {
        // The plugin's own listener would keep the request for as long as the connection lives.
        socket.removeAllListeners('error');
        const connection = new LiveSocket(context, socket, getCurrentSession(request));
        connections.add(connection);
        connection.open();
      },
    });
  });
}

/** Takes the HTTP response off its socket, which would keep it and the request: 5 KiB a connection. */
function releaseResponse({ raw }: FastifyReply): void {
  if (raw.socket !== null) raw.detachSocket(raw.socket);
}

function socketOptions(limits: LiveLimits) {
  return {
    maxPayload: limits.maxPayload,
    maxFragments: 16,
    closeTimeout: limits.closeTimeout,
    // The bound on packets counts pings as well, and says why it closes the connection.
    maxPendingAutoPongs: 0,
    // Costs more memory a connection than everything else together, and saves little on short messages.
    perMessageDeflate: false,
    clientTracking: false,
  };
}
