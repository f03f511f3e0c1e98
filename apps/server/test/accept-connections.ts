import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenLocally } from './listen-locally.ts';

/** Accepts connections on a free port of 127.0.0.1 until the test ends. Resolves to the port. */
export async function acceptConnections(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return listenLocally(server);
}
