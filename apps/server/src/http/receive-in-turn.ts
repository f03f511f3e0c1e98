import { Socket } from 'node:net';
import { runInTurn } from '../scheduling/time-slices.ts';

/**
 * Makes what a connection receives wait for a time slice before it is parsed: Node would otherwise parse in a single
 * turn of the event loop what has arrived on all connections. Meanwhile, nothing more is read from the connection.
 */
export function receiveInTurn(socket: Socket): void {
  // With a listener, Node's HTTP parser takes what was pushed to the stream instead of reading by itself.
  socket.on('data', () => undefined);
  socket.push = (piece: unknown, encoding) => {
    const push = () => Socket.prototype.push.call(socket, piece, encoding);
    if (piece === null) return push();
    let canContinue = false;
    runInTurn(() => {
      canContinue = push();
    });
    return canContinue;
  };
}
