import { endpoints } from '@parley/contract';
import type { IncomingMessage } from 'node:http';

/** Whether a request may become a websocket. Everywhere else `Upgrade` is ignored, as HTTP allows. */
export function isLiveUpgrade(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    request.url?.split('?', 1)[0] === endpoints.connect.path
  );
}
