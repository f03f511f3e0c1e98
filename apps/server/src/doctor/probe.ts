import { randomBytes } from 'node:crypto';
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable, type Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** Timeout of a response in milliseconds. */
const TIMEOUT = 10_000;
/** Milliseconds to wait for a response to the headers before the body is sent. */
const EARLY_RESPONSE_TIME = 500;
/** Maximum number of bytes read from a response body. */
const BODY_MAX = 64 * 1024;

/** The time during which a certificate is valid. */
export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

/** The parts of a response that the doctor needs. */
export interface ProbeResponse {
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
  /** By how many milliseconds the clock of the responding machine is ahead of this one; undefined if it does not say. */
  readonly clockDifference: number | undefined;
  /** Undefined without TLS. */
  readonly validity: Validity | undefined;
}

/** What to request, other than with `GET`. */
export interface ProbeOptions {
  readonly method?: 'GET' | 'POST';
  readonly headers?: OutgoingHttpHeaders;
  /** Number of bytes to send as the body. */
  readonly bodySize?: number;
  /** Connects to this address instead of the host of the URL. */
  readonly address?: string;
  /** Also accepts certificates that cannot be trusted, to read what is wrong with them. */
  readonly isLenient?: boolean;
  /** Milliseconds without a response after which the request fails. */
  readonly timeout?: number;
}

/** Requests a URL. */
export function probe(url: URL, options: ProbeOptions = {}): Promise<ProbeResponse> {
  const { method = 'GET', headers = {}, bodySize, timeout = TIMEOUT } = options;
  const length = bodySize === undefined ? {} : { 'content-length': bodySize };
  return new Promise((resolve, reject) => {
    const call = createRequest(url)(url, {
      method,
      headers: { ...length, ...headers },
      agent: false,
      signal: AbortSignal.timeout(timeout),
      ...(options.address !== undefined && { hostname: options.address }),
      ...(options.isLenient === true && { rejectUnauthorized: false }),
    });
    let hasResponse = false;
    call.on('error', (error) => {
      // A proxy may respond and close the connection before it has read the body.
      if (!hasResponse) reject(error);
    });
    call.on('response', (response) => {
      hasResponse = true;
      readProbeResponse(response)
        .then(resolve, reject)
        .finally(() => call.destroy());
    });
    if (bodySize === undefined) call.end();
    else sendBody(call, bodySize);
  });
}

/** Requests a URL like a browser that opens a websocket. Returns the open connection if there is an upgrade. */
export function probeUpgrade(
  url: URL,
  headers: OutgoingHttpHeaders = {},
  timeout = TIMEOUT,
): Promise<{ status: number; socket?: Duplex }> {
  return new Promise((resolve, reject) => {
    const call = createRequest(url)(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        origin: url.origin,
        ...headers,
      },
      agent: false,
    });
    // A timeout of the request would only limit how long nothing arrives.
    const timer = setTimeout(() => call.destroy(new DOMException('', 'TimeoutError')), timeout);
    call.on('close', () => clearTimeout(timer));
    call.on('error', reject);
    call.on('response', (response) => {
      response.destroy();
      resolve({ status: response.statusCode ?? 0 });
    });
    call.on('upgrade', (response, socket) => {
      clearTimeout(timer);
      socket.on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, socket });
    });
    call.end();
  });
}

/** Creates a URL for which no cache has a response. */
export function createUniqueUrl(path: string, base: string): URL {
  const url = new URL(path, base);
  url.searchParams.set('doctor', randomBytes(8).toString('hex'));
  return url;
}

function createRequest(url: URL): typeof requestHttps {
  return url.protocol === 'https:' ? requestHttps : requestHttp;
}

/**
 * Sends a body, unless the headers suffice for a response. To write to a connection that was closed after a response
 * would discard it.
 */
function sendBody(call: ClientRequest, size: number): void {
  call.flushHeaders();
  const waiting = setTimeout(() => Readable.from(createBody(size)).pipe(call), EARLY_RESPONSE_TIME);
  const cancel = () => clearTimeout(waiting);
  call.once('response', cancel).once('close', cancel);
}

function* createBody(size: number): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

async function readProbeResponse(response: IncomingMessage): Promise<ProbeResponse> {
  const { socket, headers } = response;
  const receivedAt = Date.now();
  const validity = socket instanceof TLSSocket ? readValidity(socket) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  const status = response.statusCode ?? 0;
  try {
    for await (const chunk of response) {
      size += chunk.length;
      if (size > BODY_MAX) break;
      chunks.push(chunk);
    }
  } catch (error) {
    // The status of an error says enough, even if the connection is reset after it.
    if (status < 400) throw error;
  }
  return {
    status,
    body: Buffer.concat(chunks).toString(),
    location: headers.location,
    clockDifference: differenceOf(headers.date, receivedAt),
    validity,
  };
}

function readValidity(socket: TLSSocket): Validity | undefined {
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  return from === undefined ? undefined : { from: new Date(from), to: new Date(to) };
}

/** Returns by how many milliseconds a date in a text is later than `at`, or undefined without a date. */
export function differenceOf(text: string | undefined, at: number): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time - at;
}
