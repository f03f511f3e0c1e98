import { endpoints, LIMITS } from '@parley/contract';
import { PublicConfig } from '@parley/contract/schemas';
import { Value } from 'typebox/value';
import { mediaOrigins } from '../servers/probe.ts';
import type { Assets } from './assets.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { routeRequest } from './route-request.ts';

interface OriginHandlerDeps {
  serverOrigin: string;
  /** The page's own origin: the server's, so that its cookies and its live connection are same-site. */
  pageOrigin: string;
  assets: Assets;
  /** Fetches past this handler, with the cookies of the session that the page belongs to. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  mediaOrigins: () => readonly string[];
  /** The server's configuration names other hosts than before. */
  onMediaOrigins: (origins: string[]) => void;
}

const READING = new Set(['GET', 'HEAD']);
/** The largest upload with its multipart frame around it; more is not read into memory. */
const MAX_BODY = Math.max(LIMITS.imageBytesMax, LIMITS.audioBytesMax) + 64 * 1024;
/** What the server needs to hear from the page; all else is said anew by whoever sends it. */
const FORWARDED_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
];
/** Hashed names never change what they mean. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Answers the requests of a server's page: the bundle for the page and its files, the server itself
 * for its interface, and nothing else.
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
      'content-security-policy': contentSecurityPolicy(serverOrigin, deps.mediaOrigins()),
      'referrer-policy': 'no-referrer',
    });
    return new Response(method === 'HEAD' ? null : asset.body, { headers });
  }

  async function forward(request: Request): Promise<Response> {
    const target = new URL(request.url.slice(pageOrigin.length), serverOrigin);
    const isReading = READING.has(request.method);
    const headers = pick(request.headers, FORWARDED_HEADERS);
    if (!isReading) headers.set('origin', serverOrigin);
    let body: ArrayBuffer | undefined;
    if (!isReading) {
      if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) return tooLarge();
      // Streamed uploads were seen to hang; a whole one is at most MAX_BODY.
      body = await request.arrayBuffer();
      if (body.byteLength > MAX_BODY) return tooLarge();
    }
    try {
      const response = await deps.fetch(target.href, {
        method: request.method,
        headers,
        credentials: 'include',
        redirect: 'error',
        signal: request.signal,
        ...(body !== undefined && body.byteLength > 0 && { body }),
      });
      if (request.method === 'GET' && target.pathname === endpoints.getConfig.path) {
        await noteMediaOrigins(response.clone());
      }
      return response;
    } catch {
      return Response.error();
    }
  }

  /** Takes the hosts of media from the server's configuration, before the page asks them. */
  async function noteMediaOrigins(response: Response): Promise<void> {
    const config: unknown = await response.json().catch(() => undefined);
    // A network that wants a login of its own responds in the server's place.
    if (!response.ok || !Value.Check(PublicConfig, config)) return;
    const found = mediaOrigins(serverOrigin, config);
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
