import { isServerPath } from '@parley/contract';

/** What the handler does with one request of a page. */
export type Route =
  /** Goes to the server. */
  | { kind: 'forward' }
  /** Goes to another host that this server keeps media on, without cookies. */
  | { kind: 'media' }
  /** A file of the bundle. */
  | { kind: 'asset' }
  /** The page itself, whatever screen its path means. */
  | { kind: 'document' }
  | { kind: 'refuse'; status: 403 | 404 | 405 };

/** A request of the page. */
export interface PageRequest {
  url: string;
  method: string;
  /** The request's `Accept`. */
  accept: string;
}

/** What is answered from the app. */
export interface RouteRules {
  /** Origin of the page. The server's own, unless the page has an address of its own. */
  pageOrigin: string;
  /** Other origins that this server takes pictures and media from. */
  mediaOrigins: readonly string[];
  hasAsset: (path: string) => boolean;
}

const READING = new Set(['GET', 'HEAD']);

/**
 * Decides where a request goes. Everything that is not named here is refused: passing on what a
 * foreign frame or picture asks for would defeat the cookies' SameSite.
 */
export function routeRequest({ url, method, accept }: PageRequest, rules: RouteRules): Route {
  const target = URL.parse(url);
  if (target === null) return { kind: 'refuse', status: 403 };
  const isReading = READING.has(method);
  if (target.origin !== rules.pageOrigin) {
    const isMedia = isReading && rules.mediaOrigins.includes(target.origin);
    return isMedia ? { kind: 'media' } : { kind: 'refuse', status: 403 };
  }
  const wantsDocument = accept.includes('text/html');
  if (isServerPath(target.pathname)) {
    // What people uploaded never becomes a document of the origin that holds the session.
    return wantsDocument ? { kind: 'refuse', status: 403 } : { kind: 'forward' };
  }
  if (!isReading) return { kind: 'refuse', status: 405 };
  if (target.pathname !== '/' && rules.hasAsset(target.pathname)) return { kind: 'asset' };
  return wantsDocument ? { kind: 'document' } : { kind: 'refuse', status: 404 };
}
