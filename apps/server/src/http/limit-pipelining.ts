import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { abandonConnection } from './abandon-connection.ts';

/**
 * Maximum number of pending requests per connection. Browsers and proxies have one. All that are received at the same
 * time are created at once.
 */
export const MAX_PIPELINED_REQUESTS = 4;

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Wraps a request listener so that it handles the requests of a connection one at a time, each in
 * its own turn of the event loop and only after the client has received the previous response.
 * Pipelined requests can then neither starve other connections nor pile up unread responses. A
 * connection that exceeds {@link MAX_PIPELINED_REQUESTS} is closed.
 */
export function limitPipelining(handler: RequestListener): RequestListener {
  /** The waiting requests of each connection that has a request in progress. */
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
      abandonConnection(socket);
    }
  };
}
