import { endpoints } from '@parley/contract';
import type { IncomingMessage } from 'node:http';

/**
 * Returns whether a request may be upgraded to a websocket. Other `Upgrade` headers are ignored, as
 * HTTP allows, and so are those that `Connection` does not name, such as behind a proxy that does not
 * forward it.
 */
export function isLiveUpgrade(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(request.headers.connection ?? '') &&
    request.url?.split('?', 1)[0] === endpoints.connect.path
  );
}
