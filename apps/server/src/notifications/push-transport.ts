import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isPublicAddress } from './public-addresses.ts';
import { parseEndpoint } from './push-endpoint.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

/** The result of sending a message to a push service. */
export interface PushOutcome {
  /**
   * The service accepted the message, it says that there is no such subscription, it refused the
   * message, or it did not respond.
   */
  readonly result: 'accepted' | 'ended' | 'refused' | 'unreachable';
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean;
  /** Milliseconds to wait before that, if the service says so. */
  readonly retryAfter?: number;
  /** A status or the code of an error, for the log. */
  readonly reason: string;
}

/** A message to a push service. */
export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends messages to push services. */
export interface PushTransport {
  /**
   * Sends a message, within a limited time and until `canceled` is aborted. Resolves once the connection is not
   * occupied any more. Never rejects.
   */
  send(request: PushRequest, canceled?: AbortSignal): Promise<PushOutcome>;
  close(): void;
}

interface TransportOptions {
  /** Origins that the operator allows, at any address. */
  readonly allowed: readonly string[];
  readonly resolve?: ResolveName;
  /** Maximum duration of a request in milliseconds. */
  readonly timeout?: number;
}

const TIMEOUT = 10_000;
/** Push services respond with a few bytes, which are not needed. */
const BODY_MAX = 8_192;
/** Idle connections are kept for the next message. */
const AGENT = { keepAlive: true, maxFreeSockets: 4, timeout: 30_000 };
/**
 * Number of idle connections after which they are closed. Users choose the hosts, so their number has no other
 * limit. `maxTotalSockets` would make messages to other services wait for them.
 */
const IDLE_MAX = 50;
const RETRY_AFTER_MAX = 60 * 60 * 1000;

/** The error of a host without a public address. */
const NOT_PUBLIC = 'ENOTPUBLIC';

/** Creates a transport with its own connections. */
export function createPushTransport(options: TransportOptions): PushTransport {
  const { allowed, resolve = createNameResolver(), timeout = TIMEOUT } = options;
  const agents = { http: new HttpAgent(AGENT), https: new HttpsAgent(AGENT) };
  const lookup = createPublicLookup(resolve);

  function request(
    { endpoint, headers, body }: PushRequest,
    canceled: readonly AbortSignal[],
  ): Promise<PushOutcome> {
    const url = parseEndpoint(endpoint, allowed);
    if (url === undefined) return Promise.resolve(refused('endpoint not allowed'));
    const isAllowed = allowed.includes(url.origin);
    const [send, agent] =
      url.protocol === 'https:'
        ? ([requestHttps, agents.https] as const)
        : ([requestHttp, agents.http] as const);
    closeIdle(agent);
    return new Promise((settle, reject) => {
      const shared = {
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        // Ends the request and the reading of its response.
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...canceled]),
        ...(!isAllowed && { lookup }),
      };
      const sent = send(url, { ...shared, agent });
      let outcome: PushOutcome | undefined;
      const end = (error: Error): void => (outcome === undefined ? reject(error) : settle(outcome));
      sent.on('error', end);
      sent.on('response', (response) => {
        discard(response);
        outcome = outcomeOf(response);
      });
      // After the body, which occupies the connection, too. It is the only event if the service switches to another
      // protocol.
      sent.on('close', () => end(new Error('no response')));
      sent.end(body);
    });
  }

  return {
    send: (message, canceled) =>
      request(message, canceled === undefined ? [] : [canceled]).catch(describeFailure),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Closes idle connections if there are many. */
function closeIdle({ freeSockets }: HttpAgent): void {
  const idle = Object.values(freeSockets).flatMap((sockets = []) => sockets);
  if (idle.length >= IDLE_MAX) for (const socket of idle) socket.destroy();
}

/** Reads the rest of a response, so that the connection can be used again, unless it is long. */
function discard(response: IncomingMessage): void {
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_MAX) response.destroy();
  });
  // The outcome is known by then.
  response.on('error', () => undefined);
}

/** Redirects are not followed: they lead to addresses that the browser has not named. */
function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): PushOutcome {
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) return { result: 'accepted', isTemporary: false, reason };
  if (status === 404 || status === 410) return { result: 'ended', isTemporary: false, reason };
  if (status !== 429 && status < 500) return refused(reason);
  const retryAfter = parseRetryAfter(headers['retry-after']);
  return {
    result: 'refused',
    isTemporary: true,
    reason,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function refused(reason: string): PushOutcome {
  return { result: 'refused', isTemporary: false, reason };
}

function describeFailure(error: unknown): PushOutcome {
  const { code, name } = error as NodeJS.ErrnoException;
  if (code === NOT_PUBLIC) return refused(NOT_PUBLIC);
  return { result: 'unreachable', isTemporary: true, reason: code ?? name };
}

/** Returns milliseconds, within bounds. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const isDate = /^[A-Z][a-z]{2}, /.test(value);
  if (!isDate && !/^\d+$/.test(value)) return undefined;
  const ms = isDate ? Date.parse(value) - Date.now() : Number(value) * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX);
}

/**
 * Creates the lookup of a connection, which connects to no other addresses than those that it returns:
 * only public ones.
 */
function createPublicLookup(resolve: ResolveName) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (
      error: NodeJS.ErrnoException | null,
      address: string | LookupAddress[],
      family?: number,
    ) => void,
  ): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const usable = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) {
        const refusal = Object.assign(new Error('no public address'), { code: NOT_PUBLIC });
        return callback(refusal, []);
      }
      return options.all === true
        ? callback(null, usable)
        : callback(null, first.address, first.family);
    });
  };
}
