import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { clientAddress, normalizeAddress } from '../http/client-address.ts';
import { isLiveUpgrade } from '../http/live-upgrade.ts';
import { createTrustProxy } from '../plugins/trusted-proxy.ts';
import { PROBE_HEADER, type RequestArrival } from './arrival.ts';
import { isProbeToken } from './probe-token.ts';

/** Milliseconds after which an idle websocket is closed, longer than any check takes. */
const HOLD_MAX = 120_000;
/** An empty pong frame of a websocket (RFC 6455 §5.5.3). */
const PONG = Buffer.from([0x8a, 0]);

/**
 * Describes requests that have the token of an operator, on every path, so that the doctor sees what a proxy makes of
 * them: their body is counted and discarded. An upgrade becomes a websocket on which the server sends nothing before
 * the client does. Other requests, also those with an invalid token, are not affected. Register it before all hooks
 * that reject requests.
 */
export function registerPublicProbe(
  app: App,
  { config, storage }: Pick<Context, 'config' | 'storage'>,
): void {
  const isTrusted = createTrustProxy(config);
  const held = new Set<Duplex>();
  // Without a promise for each of the other requests.
  app.addHook('onRequest', (request, reply, done) => {
    const token = request.headers[PROBE_HEADER];
    if (typeof token === 'string') void handle(token, request, reply, done);
    else done();
  });
  async function handle(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): Promise<void> {
    try {
      if (await isProbeToken(storage, token)) return await respond(request, reply);
    } catch (error) {
      // Fastify ignores it if the request was answered.
      return done(error as Error);
    }
    return done();
  }
  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isLiveUpgrade(request.raw)) return holdOpen(request.raw, reply, held);
    const received = await countBody(request.raw);
    await reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .serializer(JSON.stringify)
      .send(describeArrival(request, isTrusted, received));
  }
  app.addHook('preClose', async () => {
    for (const socket of held) socket.destroy();
  });
}

function describeArrival(
  request: FastifyRequest,
  isTrusted: ReturnType<typeof createTrustProxy>,
  received: number,
): RequestArrival {
  const { headers, protocol, socket } = request;
  const { 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': forwardedProto } = headers;
  const peer = normalizeAddress(socket.remoteAddress) ?? '';
  return {
    product: 'parley',
    protocol,
    client: clientAddress(request),
    peer,
    isPeerTrusted: isTrusted !== false && isTrusted(peer, 0),
    ...(forwardedFor !== undefined && { forwardedFor: String(forwardedFor) }),
    ...(forwardedProto !== undefined && { forwardedProto: String(forwardedProto) }),
    received,
  };
}

async function countBody(body: IncomingMessage): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) size += chunk.length;
  } catch {
    // The client or the proxy has closed the connection.
  }
  return size;
}

/** Opens a websocket and sends nothing until the client sends anything. */
function holdOpen(request: IncomingMessage, reply: FastifyReply, held: Set<Duplex>): void {
  reply.hijack();
  const { socket } = request;
  reply.raw.detachSocket(socket);
  held.add(socket);
  socket.on('close', () => held.delete(socket));
  socket.on('error', () => undefined);
  socket.setTimeout(HOLD_MAX, () => socket.destroy());
  const key = String(request.headers['sec-websocket-key']);
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
  socket.once('data', () => socket.end(PONG));
}
