import { isServerPath } from '@parley/contract';

/** The way in which the handler serves a request of the page. */
export type Route =
  /** From the server. */
  | { kind: 'forward' }
  /** From one of the server's other media origins, without cookies. */
  | { kind: 'media' }
  /** From the bundle. */
  | { kind: 'asset' }
  /** With the page itself, for every screen. */
  | { kind: 'document' }
  | { kind: 'refuse'; status: 403 | 404 | 405 };

/** A request of the page. */
export interface PageRequest {
  url: string;
  method: string;
  /** The request's `Accept` header. */
  accept: string;
}

/** The rules for routing requests. */
export interface RouteRules {
  /** Origin of the page. Usually it equals the server's. */
  pageOrigin: string;
  /** Other origins from which this server loads images and media. */
  mediaOrigins: readonly string[];
  hasAsset: (path: string) => boolean;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Decides how a request is served. Everything that is not listed here is refused, as forwarding the requests of
 * foreign frames or images would defeat the SameSite attribute of the cookies.
 */
export function routeRequest({ url, method, accept }: PageRequest, rules: RouteRules): Route {
  const target = URL.parse(url);
  if (target === null) return { kind: 'refuse', status: 403 };
  const isSafe = SAFE_METHODS.has(method);
  if (target.origin !== rules.pageOrigin) {
    const isMedia = isSafe && rules.mediaOrigins.includes(target.origin);
    return isMedia ? { kind: 'media' } : { kind: 'refuse', status: 403 };
  }
  const wantsDocument = accept.includes('text/html');
  if (isServerPath(target.pathname)) {
    // An upload must never become a document of the origin that has the session.
    return wantsDocument ? { kind: 'refuse', status: 403 } : { kind: 'forward' };
  }
  if (!isSafe) return { kind: 'refuse', status: 405 };
  if (target.pathname !== '/' && rules.hasAsset(target.pathname)) return { kind: 'asset' };
  return wantsDocument ? { kind: 'document' } : { kind: 'refuse', status: 404 };
}
