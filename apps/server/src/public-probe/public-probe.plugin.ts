import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { clientAddress, normalizeAddress } from '../http/client-address.ts';
import { isLiveUpgrade } from '../http/live-upgrade.ts';
import { createTrustProxy } from '../plugins/trusted-proxy.ts';
import { PONG, PROBE_HEADER, type RequestArrival } from './arrival.ts';
import { createProbeTokenCheck } from './probe-token.ts';

/** Milliseconds after which an idle websocket is closed, longer than any check takes. */
const HOLD_MAX = 120_000;
/** Maximum number of websockets that are open at a time; the doctor needs one. */
export const HELD_MAX = 8;

/**
 * Describes requests that have the token of an operator, on every path, so that the doctor sees what a proxy makes of
 * them: their body is counted and discarded. An upgrade becomes a websocket on which the server sends nothing before
 * the client does. Other requests, also those with an invalid token, are not affected. Register it before all hooks
 * that reject requests.
 */
export async function registerPublicProbe(
  app: App,
  { config, storage }: Pick<Context, 'config' | 'storage'>,
): Promise<void> {
  const isProbeToken = await createProbeTokenCheck(storage);
  const isTrusted = createTrustProxy(config);
  const held = new Set<Duplex>();
  // Without a promise for each of the other requests.
  app.addHook('onRequest', (request, reply, done) => {
    const token = request.headers[PROBE_HEADER];
    if (typeof token !== 'string' || !isProbeToken(token)) return done();
    if (!isLiveUpgrade(request.raw)) {
      return void describe(request, reply).catch((error: unknown) => reply.send(error));
    }
    if (held.size >= HELD_MAX) return done(new AppError('unavailable'));
    return holdOpen(request.raw, reply, held);
  });
  async function describe(request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
  // The server does not close its own half otherwise.
  socket.on('end', () => socket.destroy());
  socket.setTimeout(HOLD_MAX, () => socket.destroy());
  const key = String(request.headers['sec-websocket-key']);
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
  socket.once('data', () => socket.end(PONG));
}
