import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A message that the server has sent to a push service. */
interface PushedMessage {
  /** Path of the subscription. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/** A push service on this machine, which accepts every message. */
export interface LoopbackPushService {
  readonly origin: string;
  /** The messages in the order in which they arrived. */
  readonly messages: readonly PushedMessage[];
  /** The response to the following messages. By default 201. */
  respondWith: (status: number) => void;
  readonly close: () => Promise<void>;
}

/** Starts a push service. */
export async function startLoopbackPushService(): Promise<LoopbackPushService> {
  const messages: PushedMessage[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      messages.push({ path, headers, body: Buffer.from(Buffer.concat(parts)) });
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    messages,
    respondWith: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The keys of a subscription, of which only the browser knows the private ones. */
export interface BrowserSubscriptionKeys {
  readonly keyPair: CryptoKeyPair;
  readonly auth: Uint8Array<ArrayBuffer>;
}

/** Creates the keys of a subscription. */
export async function createSubscriptionKeys(): Promise<BrowserSubscriptionKeys> {
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  const keyPair = await crypto.subtle.generateKey(algorithm, true, ['deriveBits']);
  return { keyPair, auth: crypto.getRandomValues(new Uint8Array(16)) };
}

/** Decrypts a message as a browser does (RFC 8291). */
export async function decryptMessage(
  body: Buffer<ArrayBuffer>,
  { keyPair, auth }: BrowserSubscriptionKeys,
): Promise<string> {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  const sender = await crypto.subtle.importKey('raw', senderKey, algorithm, true, []);
  const ownKey = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey));
  const shared = await crypto.subtle.deriveBits(
    { name: 'ECDH', public: sender },
    keyPair.privateKey,
    256,
  );
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ownKey, senderKey]);
  const secret = await derive(shared, auth, info, 32);
  const key = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const iv = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const encrypted = body.subarray(21 + keyLength);
  const decrypted = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, imported, encrypted);
  const text = Buffer.from(decrypted);
  // The delimiter of the last record, before the padding.
  return text.subarray(0, text.lastIndexOf(2)).toString();
}

async function derive(
  secret: ArrayBuffer,
  salt: Uint8Array<ArrayBuffer>,
  info: Buffer<ArrayBuffer>,
  length: number,
): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8);
}
