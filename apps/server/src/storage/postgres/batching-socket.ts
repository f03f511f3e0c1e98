import { Socket } from 'node:net';

/**
 * Creates a socket that sends together what is written in a turn of the event loop, so that queries
 * that do not wait for one another cost one system call. Has no effect on a connection with TLS.
 */
export function createBatchingSocket(): Socket {
  const socket = new Socket();
  // Not before, because `connect` resets the method.
  socket.once('connect', () => {
    const write = socket.write.bind(socket);
    let isCorked = false;
    socket.write = (...args: unknown[]): boolean => {
      if (!isCorked) {
        isCorked = true;
        socket.cork();
        // Runs after everything that waits for promises that have settled.
        process.nextTick(() => {
          isCorked = false;
          socket.uncork();
        });
      }
      return write(...(args as Parameters<typeof write>));
    };
  });
  return socket;
}
