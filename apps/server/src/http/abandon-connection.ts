import type { Socket } from 'node:net';

/** What Node's HTTP parser calls. The callback for pieces of bodies is at an index that its class declares. */
interface Parser {
  readonly constructor: { readonly kOnBody?: number };
  onIncoming?: () => number;
  [index: number]: unknown;
}

/**
 * Destroys a connection and stops parsing what was received. Even for a destroyed connection, Node would
 * otherwise parse all of it, and create each request and each piece of a body, which costs more than a response.
 */
export function abandonConnection(socket: Socket & { parser?: Parser | null }): void {
  const { parser } = socket;
  if (parser) {
    // Makes the parser treat what follows the current request as another protocol. Node replaces the callback for the
    // next connection.
    parser.onIncoming = () => 2;
    skipBody(parser);
  }
  socket.destroy();
}

function skipBody(parser: Parser): void {
  const { kOnBody } = parser.constructor;
  if (kOnBody === undefined) return;
  const callback = parser[kOnBody];
  if (callback === undefined) return;
  parser[kOnBody] = undefined;
  // Later in the same turn, the parser is free for another connection.
  setImmediate(() => {
    parser[kOnBody] = callback;
  });
}
