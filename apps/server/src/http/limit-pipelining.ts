import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their responses. Browsers and proxies have one. */
export const MAX_PIPELINED_REQUESTS = 16;

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Hands on the requests of a connection one after another, each in a turn of the event loop of its
 * own, and only once the client has taken the response to the one before. So pipelined requests
 * cannot crowd out other connections, nor pile up responses that nobody reads. A connection that
 * goes beyond {@link MAX_PIPELINED_REQUESTS} is closed.
 */
export function limitPipelining(handler: RequestListener): RequestListener {
  /** For each connection with a request in progress, those that wait behind it. */
  const waiting = new WeakMap<Socket, Exchange[]>();

  function start(socket: Socket, [request, response]: Exchange): void {
    response.once('close', () => {
      if (waiting.get(socket)?.length === 0) waiting.delete(socket);
      else setImmediate(startNext, socket);
    });
    handler(request, response);
  }

  function startNext(socket: Socket): void {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    else start(socket, next);
  }

  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      start(socket, [request, response]);
    } else if (queue.length + 1 < MAX_PIPELINED_REQUESTS) {
      queue.push([request, response]);
    } else {
      waiting.delete(socket);
      stopParsing(socket);
      socket.destroy();
    }
  };
}

/**
 * Node parses what was received to its end, even for a destroyed connection, and then aborts each
 * request at a cost above that of a response. This ends it after the current request.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  // Has the parser take what follows for another protocol. Node replaces it for the next connection.
  if (socket.parser) socket.parser.onIncoming = () => 2;
}
