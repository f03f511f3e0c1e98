import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { PushPayload, RequestBody } from '@parley/contract';
import type { Certificate } from './certificate.ts';
import { listenLocally } from './listen-locally.ts';
import {
  createBrowserKeys,
  decryptPush,
  pushSubscription,
  verifyVapid,
  type BrowserKeys,
} from './push-subscription.ts';

/** A message that a browser has received. */
export interface ReceivedPush {
  payload: PushPayload;
  topic: string | undefined;
  urgency: string | undefined;
}

/** The subscription of a browser at a push service. */
export interface BrowserSubscription {
  /** What the browser sends to the server. */
  body: RequestBody<'subscribePush'>;
  received: ReceivedPush[];
  /** Responds to requests instead of accepting their messages. */
  respond?: ((response: ServerResponse) => void) | undefined;
  /** Number of requests, accepted or not. */
  attempts: number;
}

/** A push service on loopback that rejects what RFC 8030, 8188, 8291 and 8292 forbid. */
export interface PushService {
  origin: string;
  /** Why requests were rejected. */
  violations: string[];
  /** Creates a subscription that is bound to a server's key. */
  subscribe(publicKey: string): BrowserSubscription;
  close(): Promise<void>;
}

interface Known extends BrowserSubscription {
  keys: BrowserKeys;
  publicKey: string;
}

/** Starts a push service, with TLS if there is a certificate. */
export async function startPushService(certificate?: Certificate): Promise<PushService> {
  const subscriptions = new Map<string, Known>();
  const violations: string[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    void receive(request, response).catch((error: unknown) => {
      violations.push(String(error));
      response.writeHead(400).end();
    });
  };
  const server = certificate ? createHttpsServer(certificate, handle) : createHttpServer(handle);
  const port = await listenLocally(server);
  const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const subscription = subscriptions.get(request.url ?? '');
    if (subscription === undefined) return void response.writeHead(404).end();
    subscription.attempts += 1;
    const body = await buffer(request);
    const { headers, method } = request;
    const { topic, urgency } = headers as Record<string, string | undefined>;
    if (method !== 'POST') throw new Error(`method ${method}`);
    if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('no TTL');
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('wrong encoding');
    if (body.length > 4_096) throw new Error('too large');
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error('wrong topic');
    if (!['very-low', 'low', 'normal', 'high'].includes(urgency ?? 'normal')) {
      throw new Error('wrong urgency');
    }
    const { publicKey } = verifyVapid(headers.authorization ?? '', origin);
    if (publicKey !== subscription.publicKey) throw new Error('the key of another server');
    const payload: PushPayload = JSON.parse(decryptPush(body, subscription.keys).toString());
    if (subscription.respond) return subscription.respond(response);
    subscription.received.push({ payload, topic, urgency });
    response.writeHead(201, { location: `${origin}/message` }).end();
  }

  return {
    origin,
    violations,
    subscribe(publicKey) {
      const path = `/subscription/${subscriptions.size}`;
      const keys = createBrowserKeys();
      const body = pushSubscription(origin + path, keys);
      const subscription: Known = { body, received: [], attempts: 0, keys, publicKey };
      subscriptions.set(path, subscription);
      return subscription;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
