import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { isLiveUpgrade } from './live-upgrade.ts';
import { limitPipelining } from './limit-pipelining.ts';

/** In milliseconds; far more than any answer takes to be made. */
const IDLE_TIMEOUT = 120_000;

/** Creates the HTTP server, with bounds on how long and how much a connection may ask of it. */
export function createHttpServer(handler: RequestListener): Server {
  const server = createServer(
    // Node would refuse a request without `Host` itself, past the bound of the request listener.
    { shouldUpgradeCallback: isLiveUpgrade, requireHostHeader: false },
    limitPipelining((request, response) => {
      if (hasHost(request)) handler(request, response);
      else response.writeHead(400, { connection: 'close' }).end();
    }),
  );
  // For the whole request: ten megabytes take this long over a slow line. Headers have a minute.
  server.requestTimeout = 300_000;
  // Without a byte either way: a reader that stands still would keep its answer, and its file, open.
  server.setTimeout(IDLE_TIMEOUT);
  server.keepAliveTimeout = 72_000;
  // The same for an expectation that it does not know.
  const refuse = limitPipelining((_request, response) => response.writeHead(417).end());
  server.on('checkExpectation', refuse);
  return server;
}

/** RFC 9112 §3.2: HTTP/1.1 requires it. */
function hasHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.1' || headers.host !== undefined;
}
