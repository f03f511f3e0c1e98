import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { ObjectStoreSettings } from '../config-checks/object-store-settings.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { MediaStoreError } from './media-store-error.ts';
import {
  canPass,
  describeFailure,
  describeSlow,
  isFileError,
  ResponseError,
} from './object-errors.ts';
import { parseListing, parseErrorCode, type ListedObject } from './object-xml.ts';

/** Limits of a client, in milliseconds unless they say something else. */
export interface ClientLimits {
  /** For requests without a body, including their retries. */
  readonly request: number;
  /**
   * For uploads, downloads and listings, including their retries, besides the time that their bytes
   * may take.
   */
  readonly transfer: number;
  /** Bytes per second of the slowest connection on which transfers succeed. */
  readonly slowest: number;
  /** Without any data in either direction; then the request is retried. */
  readonly idle: number;
  /** Number of objects in a page of a listing. */
  readonly pageSize: number;
}

const LIMITS: ClientLimits = {
  request: 10_000,
  transfer: 30_000,
  slowest: 64 * 1024,
  idle: 10_000,
  pageSize: 1_000,
};
const ATTEMPTS = 3;
/** Milliseconds before the first retry; twice as long before each further one. */
const RETRY_DELAY = 100;
const CONNECTIONS_MAX = 32;

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Header in which the checksum of an object is kept with it. */
const CHECKSUM_HEADER = 'x-amz-meta-sha256';

const UNLESS_IT_EXISTS = { 'if-none-match': '*' };
/** Another request is creating the object. */
const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
/** Stores without conditional requests. */
const NOT_IMPLEMENTED = 501;

/** What is known about an object before it is read. */
export interface ObjectInfo {
  readonly size: number;
  /** SHA-256 (hex); undefined if the object was not stored by Parley. */
  readonly sha256: string | undefined;
}

/** The content of an object to upload. */
export interface ObjectSource {
  readonly size: number;
  /** SHA-256 (hex). */
  readonly sha256: string;
  /** Creates a stream of the content, for each attempt. */
  readonly createStream: () => Readable;
}

/**
 * A client for the few requests of the S3 protocol that Parley needs. Methods throw a
 * {@link MediaStoreError} if the store fails, and file system errors.
 */
export interface ObjectClient {
  /**
   * Uploads an object as a stream and replaces an earlier one. The store rejects it if the checksum
   * does not match.
   */
  put(key: string, source: ObjectSource): Promise<void>;
  /** Copies an object and the checksum that is kept with it, inside the store. */
  copy(key: string, copy: string): Promise<void>;
  /** Uploads an object unless it exists. Stores without conditional requests replace it. */
  putNew(key: string, source: ObjectSource): Promise<void>;
  /** Returns undefined if the object does not exist. */
  head(key: string): Promise<ObjectInfo | undefined>;
  /**
   * Reads an object with `consume`, which is called again if the connection breaks or if it throws
   * an error that is not of the file system. Returns undefined if the object does not exist.
   */
  get<T>(
    key: string,
    consume: (info: ObjectInfo, body: IncomingMessage) => Promise<T>,
    options?: GetOptions,
  ): Promise<T | undefined>;
  /** Deletes an object if it exists. */
  delete(key: string): Promise<void>;
  /** Lists all objects whose key begins with `prefix`, in pages. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>;
  /** Aborts pending requests and closes the connections. */
  close(): void;
}

/** Options of reading an object. */
interface GetOptions {
  /** Such as `bytes=0-9`. */
  readonly range?: string;
  /** Whether the object is as small as a request, so that its time limit applies. */
  readonly isSmall?: boolean;
}

interface ObjectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly source?: ObjectSource;
}

/** Creates a client. It connects with the first request. */
export function createObjectClient(
  settings: ObjectStoreSettings,
  limits: ClientLimits = LIMITS,
): ObjectClient {
  const isSecure = settings.endpoint.startsWith('https:');
  const options = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const startRequest = isSecure ? requestHttps : requestHttp;
  const closing = new AbortController();
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sign({ method, key, query, headers, source }: ObjectRequest) {
    // Path-style addresses work everywhere, also with IP addresses and certificates for one name.
    const url = new URL(`${settings.endpoint}/${settings.bucket}${key ? `/${key}` : ''}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const { region, accessKeyId, secretAccessKey } = settings;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': source?.sha256 ?? EMPTY_SHA256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      cache: signingKeys,
    });
    const signed = await signer.sign();
    return { url: signed.url, headers: Object.fromEntries(signed.headers) };
  }

  /** Sends a request once. Returns the response, whose body the caller consumes. */
  async function send(request: ObjectRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, source } = request;
    const { url, headers } = await sign(request);
    if (source !== undefined) headers['content-length'] = String(source.size);
    return new Promise((resolve, reject) => {
      const sent = startRequest(url, { method, headers, agent, signal, timeout: limits.idle });
      sent.on('timeout', () => {
        sent.destroy(Object.assign(new Error('no data was transferred'), { code: 'ETIMEDOUT' }));
      });
      sent.on('error', reject);
      sent.on('response', resolve);
      if (source === undefined) {
        sent.end();
        return;
      }
      const content = source.createStream();
      content.on('error', (error) => sent.destroy(error));
      sent.on('close', () => content.destroy());
      content.pipe(sent);
    });
  }

  async function attempt<T>(
    request: ObjectRequest,
    deadline: Deadline,
    signal: AbortSignal,
    consume: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const allowTimeFor = (size: number) => deadline.extend((size / limits.slowest) * 1_000);
    if (request.source !== undefined) allowTimeFor(request.source.size);
    const response = await send(request, signal);
    const { statusCode = 0 } = response;
    if (statusCode >= 300 || statusCode < 200) {
      throw new ResponseError(statusCode, parseErrorCode(await text(response)));
    }
    // Listings do not say their length, and are small.
    const { size } = infoOf(response);
    if (request.method === 'GET' && !Number.isNaN(size)) allowTimeFor(size);
    return consume(response);
  }

  /** Sends a request and retries it after failures that may pass. */
  async function run<T>(
    request: ObjectRequest,
    timeout: number,
    consume: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const deadline = createDeadline(timeout);
    try {
      return await retry(request, deadline, consume);
    } finally {
      deadline.clear();
    }
  }

  async function retry<T>(
    request: ObjectRequest,
    deadline: Deadline,
    consume: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([deadline.signal, closing.signal]);
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(request, deadline, signal, consume);
      } catch (error) {
        if (isMissingObject(error, request) || isFileError(error)) throw error;
        if (isUnmetCondition(error, request)) throw error;
        const isTemporary = canPass(error);
        if (deadline.signal.aborted) {
          throw new MediaStoreError(describeSlow(settings), { cause: error, isTemporary: true });
        }
        if (signal.aborted || count === ATTEMPTS || !isTemporary) {
          throw new MediaStoreError(describeFailure(error, settings), {
            cause: error,
            isTemporary,
          });
        }
      }
      const delay = RETRY_DELAY * 2 ** (count - 1) * (0.5 + Math.random());
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Like {@link run}, but returns undefined if the object does not exist. */
  async function find<T>(
    request: ObjectRequest,
    timeout: number,
    consume: (response: IncomingMessage) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await run(request, timeout, consume);
    } catch (error) {
      if (isMissingObject(error, request)) return undefined;
      throw error;
    }
  }

  async function put(
    key: string,
    source: ObjectSource,
    condition: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const headers = {
      'content-type': 'application/octet-stream',
      [CHECKSUM_HEADER]: source.sha256,
      ...condition,
    };
    await run({ method: 'PUT', key, headers, source }, limits.transfer, discardBody);
  }

  return {
    put: (key, source) => put(key, source),
    async copy(key, copy) {
      const source = `/${settings.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
      const headers = { 'x-amz-copy-source': source };
      await run({ method: 'PUT', key: copy, headers }, limits.transfer, discardBody);
    },
    async putNew(key, source) {
      try {
        await put(key, source, UNLESS_IT_EXISTS);
      } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        if (error.status === NOT_IMPLEMENTED) await put(key, source);
      }
    },
    head: (key) =>
      find({ method: 'HEAD', key }, limits.request, async (response) => {
        await discardBody(response);
        return infoOf(response);
      }),
    get: (key, consume, { range, isSmall = false } = {}) =>
      find(
        { method: 'GET', key, ...(range !== undefined && { headers: { range } }) },
        isSmall ? limits.request : limits.transfer,
        async (response) => {
          try {
            return await consume(infoOf(response), response);
          } finally {
            response.destroy();
          }
        },
      ),
    async delete(key) {
      await find({ method: 'DELETE', key }, limits.request, discardBody);
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = {
          'list-type': '2',
          'max-keys': String(limits.pageSize),
          prefix,
          ...(token !== undefined && { 'continuation-token': token }),
        };
        const page = await run({ method: 'GET', query }, limits.transfer, async (response) =>
          parseListing(await text(response)),
        );
        yield page.objects;
        token = page.nextToken;
      } while (token !== undefined);
    },
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

function infoOf({ headers }: IncomingMessage): ObjectInfo {
  const sha256 = headers[CHECKSUM_HEADER];
  return {
    size: Number(headers['content-length'] ?? Number.NaN),
    sha256: typeof sha256 === 'string' ? sha256 : undefined,
  };
}

async function discardBody(response: IncomingMessage): Promise<void> {
  response.resume();
  await finished(response);
}

/** Returns whether a request failed because its object does not exist. */
function isMissingObject(error: unknown, { method, key }: ObjectRequest): boolean {
  if (key === undefined || method === 'PUT') return false;
  // After HEAD, the reason is empty.
  return error instanceof ResponseError && error.status === 404 && error.reason !== 'NoSuchBucket';
}

/**
 * Returns whether a conditional request was rejected because its condition is not met or unknown.
 */
function isUnmetCondition(error: unknown, { headers }: ObjectRequest): boolean {
  if (headers?.['if-none-match'] === undefined || !(error instanceof ResponseError)) return false;
  return [CONFLICT, PRECONDITION_FAILED, NOT_IMPLEMENTED].includes(error.status);
}
