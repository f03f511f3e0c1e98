import { randomBytes } from 'node:crypto';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';

/** Timeout of a response in milliseconds. */
const TIMEOUT = 10_000;
/** Maximum number of bytes read from a response body. */
const BODY_MAX = 64 * 1024;

/** The parts of a response that the doctor needs. */
export interface ProbeResponse {
  readonly status: number;
  readonly body: string;
  /** Expiry of the certificate; undefined without TLS. */
  readonly validTo: Date | undefined;
}

/** Requests a URL; with `upgrade`, like a browser that opens a websocket. */
export function probe(url: URL, upgrade = false): Promise<ProbeResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = upgrade
    ? {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        origin: url.origin,
      }
    : {};
  return new Promise((resolve, reject) => {
    const call = request(url, {
      headers,
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    call.on('error', reject);
    call.on('response', (response) => readProbeResponse(response).then(resolve, reject));
    call.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '', validTo: undefined });
    });
    call.end();
  });
}

async function readProbeResponse(response: IncomingMessage): Promise<ProbeResponse> {
  const { socket } = response;
  const validTo =
    socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > BODY_MAX) break;
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), validTo };
}
