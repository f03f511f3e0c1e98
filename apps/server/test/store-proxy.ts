import { createHash, createHmac } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from './listen-locally.ts';

/** What a proxy does to a request instead of forwarding it, or to its response. */
export type StoreFault =
  /** Responds with an error instead of forwarding the request. */
  | { readonly status: number; readonly reason: string }
  /** Responds after this number of milliseconds. */
  | { readonly delay: number }
  /** Sends half of the response's body, and the rest once this resolves. */
  | { readonly rest: Promise<void> }
  /** Closes the connection without a response. */
  | 'reset'
  /** Does not respond, and closes the connection when it recovers. */
  | 'silent'
  /** Closes the connection after half of the response's body. */
  | 'truncated'
  /** Changes the body of the response, or of the request if it has one. */
  | 'corrupt';

/** A proxy in front of an object store that fails on request. */
export interface StoreProxy {
  /** URL for `PARLEY_MEDIA_STORE`. */
  readonly url: string;
  /** Methods of all requests so far. */
  readonly methods: readonly string[];
  /** Fails the next `count` requests with a method. */
  fail(method: string, fault: StoreFault, count?: number): void;
  /** Forwards everything again. */
  recover(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the store that the variables of a server name. It also does what real
 * stores do and the fake one does not: it verifies signatures and checksums, creates objects only
 * once if asked to, and lists in pages.
 */
export async function startStoreProxy(storeUrl: string): Promise<StoreProxy> {
  const target = new URL(storeUrl).searchParams.get('endpoint') ?? '';
  const methods: string[] = [];
  const silent = new Set<IncomingMessage>();
  let faults: { method: string; fault: StoreFault; left: number }[] = [];

  const takeFault = (method: string): StoreFault | undefined => {
    const found = faults.find((fault) => fault.method === method && fault.left > 0);
    if (found !== undefined) found.left -= 1;
    return found?.fault;
  };
  const server = createServer((incoming, response) => {
    const { method = '' } = incoming;
    methods.push(method);
    const fault = takeFault(method);
    if (fault === 'silent') silent.add(incoming);
    else if (fault === 'reset') incoming.socket.destroy();
    else if (typeof fault === 'object' && 'status' in fault)
      respond(response, fault.status, fault.reason);
    else void forward(target, incoming, response, fault).catch(() => incoming.socket.destroy());
  });
  const port = await listenLocally(server);
  const url = new URL(storeUrl);
  url.searchParams.set('endpoint', `http://127.0.0.1:${port}`);
  return {
    url: url.href,
    methods,
    fail: (method, fault, count = Infinity) => void faults.push({ method, fault, left: count }),
    recover: () => {
      faults = [];
      for (const { socket } of silent) socket.destroy();
      silent.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${reason}</Code><Message>x</Message></Error>`);
}

/** URLs of all objects that conditional requests have created. */
const created = new Set<string>();

async function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: Exclude<StoreFault, { readonly status: number } | 'reset' | 'silent'> | undefined,
): Promise<void> {
  const { method, url = '', headers } = incoming;
  const body = await buffer(incoming);
  if (!isSigned(incoming)) {
    respond(response, 403, 'SignatureDoesNotMatch');
    return;
  }
  if (fault === 'corrupt' && body.length > 0) corrupt(body);
  if (sha256(body) !== headers['x-amz-content-sha256']) {
    respond(response, 400, 'XAmzContentSHA256Mismatch');
    return;
  }
  if (method === 'DELETE') created.delete(target + url);
  if (headers['if-none-match'] === '*') {
    if (created.has(target + url)) {
      respond(response, 412, 'PreconditionFailed');
      return;
    }
    created.add(target + url);
  }
  const { searchParams } = new URL(url, target);
  const isListing = searchParams.has('list-type');
  const path = isListing ? url.replaceAll(/&(?:max-keys|continuation-token)=[^&]*/g, '') : url;
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${target}${path}`, { method, headers }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  let content = await buffer(received);
  const isOk = received.statusCode === 200;
  if (isListing && isOk) content = Buffer.from(cutPage(content.toString(), searchParams));
  if (fault === 'corrupt') corrupt(content);
  if (typeof fault === 'object' && 'delay' in fault) await sleep(fault.delay);
  const length = isListing && isOk ? { 'content-length': content.length } : {};
  response.writeHead(received.statusCode ?? 500, { ...received.headers, ...length });
  if (fault === 'truncated') {
    response.write(content.subarray(0, content.length / 2), () => response.destroy());
  } else if (typeof fault === 'object' && 'rest' in fault) {
    response.write(content.subarray(0, content.length / 2));
    await fault.rest;
    response.end(content.subarray(content.length / 2));
  } else {
    response.end(content);
  }
}

/** The beginning of tokens, with characters that have to be encoded. */
const TOKEN = 'next+/= ';

/** Returns the page of a complete listing that a request asks for. */
function cutPage(xml: string, query: URLSearchParams): string {
  const after = (query.get('continuation-token') ?? '').slice(TOKEN.length);
  const objects = (xml.match(/<Contents>.*?<\/Contents>/gs) ?? []).filter(
    (object) => keyOf(object) > after,
  );
  const page = objects.slice(0, Number(query.get('max-keys')));
  const isTruncated = page.length < objects.length;
  const token = TOKEN + keyOf(page.at(-1) ?? '');
  const next = isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Name>media</Name><IsTruncated>${isTruncated}</IsTruncated>${next}
      ${page.join('\n')}
    </ListBucketResult>`;
}

const keyOf = (object: string) => /<Key>(.*?)<\/Key>/.exec(object)?.[1] ?? '';
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Returns whether a request has a valid signature of version 4 with the test's keys. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, credential = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? [];
  const [, date = '', region = '', service = ''] = credential.split('/');
  const [path = '', query = ''] = url.split('?');
  const canonicalQuery = [...new URLSearchParams(query)]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&');
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [
    method,
    path,
    canonicalQuery,
    canonicalHeaders.join(''),
    names,
    String(headers['x-amz-content-sha256']),
  ];
  const scope = [date, region, service, 'aws4_request'];
  const time = String(headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical.join('\n'))].join('\n');
  const secret = process.env['AWS_SECRET_ACCESS_KEY'] ?? '';
  const key = scope.reduce<Buffer>(
    (parent, part) => hmac(parent, part),
    Buffer.from(`AWS4${secret}`),
  );
  return hmac(key, text).toString('hex') === signature;
}

function corrupt(bytes: Buffer): void {
  if (bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 0xff;
}
