import { endpoints, LIMITS, UPLOAD_ID_HEADER } from '@parley/contract';
import { PublicConfig } from '@parley/contract/schemas';
import { Value } from 'typebox/value';
import { listMediaOrigins } from '../servers/probe-server.ts';
import type { Assets } from './assets.ts';
import { createContentSecurityPolicy } from './content-security-policy.ts';
import { routeRequest } from './route-request.ts';

/** An upload of the page. */
export interface PageUpload {
  /** The id that the page has chosen. */
  id: string;
  url: string;
  method: string;
  headers: Headers;
  /** Fails if the upload is too large. */
  body: ReadableStream<Uint8Array>;
}

interface OriginHandlerDeps {
  serverOrigin: string;
  /** Origin of the page. It equals the server's, so that cookies and the live connection are same-site. */
  pageOrigin: string;
  assets: Assets;
  /** Fetches without this handler, with the cookies of the page's session. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends an upload with the cookies of the page's session. */
  upload: (upload: PageUpload) => Promise<Response>;
  mediaOrigins: () => readonly string[];
  /** Empties the cache of the page's session. Chromium does not obey the header of a response that this handler passes on. */
  clearCache: () => void;
  /** Called when the media origins in the server's configuration have changed. */
  onMediaOrigins: (origins: string[]) => void;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** Bytes of the largest upload with its multipart encoding. Larger requests are refused. */
const MAX_BODY = Math.max(LIMITS.imageBytesMax, LIMITS.audioBytesMax) + 64 * 1024;
/** Headers that are forwarded to the server. The handler or Chromium sets the others. */
const FORWARDED_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
];
/** `Cache-Control` of files with a hash in their name, whose content never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Creates the handler for the requests of a server's page. It serves the page and its files from the bundle,
 * forwards API requests to the server, and refuses everything else.
 */
export function createOriginHandler(deps: OriginHandlerDeps) {
  const { serverOrigin, pageOrigin, assets } = deps;

  return async function handle(request: Request): Promise<Response> {
    const { url, method } = request;
    const route = routeRequest(
      { url, method, accept: request.headers.get('accept') ?? '' },
      { pageOrigin, mediaOrigins: deps.mediaOrigins(), hasAsset: assets.has },
    );
    if (route.kind === 'forward') return forward(request);
    if (route.kind === 'media') return fetchMedia(request);
    if (route.kind === 'refuse') return new Response(null, { status: route.status });
    const path = route.kind === 'document' ? '/index.html' : new URL(url).pathname;
    return serveFromBundle(path, method);
  };

  async function serveFromBundle(path: string, method: string): Promise<Response> {
    const asset = await assets.read(path);
    if (asset === undefined) return new Response(null, { status: 404 });
    const headers = new Headers({
      'content-type': asset.type,
      'content-length': String(asset.body.byteLength),
      'x-content-type-options': 'nosniff',
      'cache-control': path.startsWith('/assets/') ? IMMUTABLE : 'no-cache',
      'content-security-policy': createContentSecurityPolicy(serverOrigin, deps.mediaOrigins()),
      'referrer-policy': 'no-referrer',
    });
    return new Response(method === 'HEAD' ? null : asset.body, { headers });
  }

  async function forward(request: Request): Promise<Response> {
    const target = new URL(request.url.slice(pageOrigin.length), serverOrigin);
    const isSafe = SAFE_METHODS.has(request.method);
    const headers = pick(request.headers, FORWARDED_HEADERS);
    if (!isSafe) headers.set('origin', serverOrigin);
    if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) return tooLarge();
    try {
      const response = await send(request, target.href, headers);
      if (request.method === 'GET' && target.pathname === endpoints.getConfig.path) {
        await updateMediaOrigins(response.clone());
      }
      if (target.pathname === endpoints.clearBrowserCache.path && response.ok) deps.clearCache();
      return response;
    } catch (error) {
      return error instanceof TooLargeError ? tooLarge() : Response.error();
    }
  }

  async function send(request: Request, url: string, headers: Headers): Promise<Response> {
    const { method } = request;
    const id = request.headers.get(UPLOAD_ID_HEADER);
    const body = SAFE_METHODS.has(method) ? null : limitSize(request.body);
    if (id !== null && body !== null) return deps.upload({ id, url, method, headers, body });
    // `Session.fetch` would copy a stream for each of its chunks.
    const bytes = body === null ? undefined : await new Response(body).arrayBuffer();
    return deps.fetch(url, {
      method,
      headers,
      credentials: 'include',
      redirect: 'error',
      signal: request.signal,
      ...(bytes !== undefined && { body: bytes }),
    });
  }

  /** Reads the media origins from the server's configuration before the page requests anything from them. */
  async function updateMediaOrigins(response: Response): Promise<void> {
    const config: unknown = await response.json().catch(() => undefined);
    // The response may come from a captive portal instead of the server.
    if (!response.ok || !Value.Check(PublicConfig, config)) return;
    const found = listMediaOrigins(serverOrigin, config);
    if (found.join() !== deps.mediaOrigins().join()) deps.onMediaOrigins(found);
  }

  async function fetchMedia(request: Request): Promise<Response> {
    const { method, signal, url } = request;
    const headers = pick(request.headers, ['accept', 'range']);
    return deps
      .fetch(url, { method, headers, signal, credentials: 'omit' })
      .catch(() => Response.error());
  }
}

/** A request with more than MAX_BODY bytes. */
class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

function limitSize(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY) controller.enqueue(chunk);
    },
    // Reads a larger body to its end, as not every source expects to be canceled.
    flush: () => {
      if (size > MAX_BODY) throw new TooLargeError();
    },
  });
  return body?.pipeThrough(limit) ?? null;
}

function pick(headers: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

function tooLarge(): Response {
  return Response.json(
    { errorMessage: 'The upload is too large.', code: 'too_large' },
    { status: 413 },
  );
}
