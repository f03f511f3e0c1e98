import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { IncomingRequest } from './incoming-request.ts';
import { runInTurn } from '../scheduling/time-slices.ts';
import { isLiveUpgrade } from './live-upgrade.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { receiveInTurn } from './receive-in-turn.ts';

/**
 * Milliseconds without traffic after which a connection is closed; far longer than any response
 * takes.
 */
const IDLE_TIMEOUT = 120_000;

/**
 * Creates the HTTP server, with limits on the duration, the pipelined requests and the pieces of bodies of a connection.
 */
export function createHttpServer(handler: RequestListener): Server {
  const server = createServer(
    // Node's own rejection of requests without `Host` would bypass the pipelining limit.
    {
      IncomingMessage: IncomingRequest,
      shouldUpgradeCallback: isLiveUpgrade,
      requireHostHeader: false,
    },
    limitPipelining((request, response) => {
      // Requests that arrive together share time slices, in which also their URLs are parsed.
      if (hasHost(request)) runInTurn(() => handler(request, response));
      else response.writeHead(400, { connection: 'close' }).end();
    }),
  );
  server.on('connection', receiveInTurn);
  // Limits the whole request; an upload of 10 MB takes this long on a slow connection. Node limits
  // the headers to one minute.
  server.requestTimeout = 300_000;
  // Without this timeout, a client that stops reading would keep its response and its file open.
  server.setTimeout(IDLE_TIMEOUT);
  server.keepAliveTimeout = 72_000;
  // Node's own response to an unknown `Expect` would bypass the pipelining limit, too.
  const rejectExpectation = limitPipelining((_request, response) => response.writeHead(417).end());
  server.on('checkExpectation', rejectExpectation);
  return server;
}

/** Returns whether a request has the `Host` header that HTTP/1.1 requires (RFC 9112 §3.2). */
function hasHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.1' || headers.host !== undefined;
}
