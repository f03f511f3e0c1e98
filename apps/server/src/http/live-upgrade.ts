import { endpoints } from '@parley/contract';
import type { IncomingMessage } from 'node:http';

/** Maximum length of the URL, whose query is parsed at once. Clients send less than a hundred characters. */
const URL_LENGTH_MAX = 500;

/**
 * Returns whether a request may be upgraded to a websocket. Other `Upgrade` headers are ignored, as
 * HTTP allows, and so are those that `Connection` does not name, such as behind a proxy that does not
 * forward it.
 */
export function isLiveUpgrade(request: IncomingMessage): boolean {
  const { url = '' } = request;
  return (
    url.length <= URL_LENGTH_MAX &&
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(request.headers.connection ?? '') &&
    url.split('?', 1)[0] === endpoints.connect.path
  );
}
