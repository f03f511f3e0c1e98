import { endpoints } from '@parley/contract';
import type { IncomingMessage } from 'node:http';

/**
 * Returns whether a request may be upgraded to a websocket. Other `Upgrade` headers are ignored, as
 * HTTP allows.
 */
export function isLiveUpgrade(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    request.url?.split('?', 1)[0] === endpoints.connect.path
  );
}
