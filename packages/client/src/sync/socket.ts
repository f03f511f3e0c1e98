import { endpoints, type ServerEvents } from '@parley/contract';
import { io, type Socket } from 'socket.io-client';

/** The live connection; the client sends no events of its own. */
export type LiveSocket = Socket<ServerEvents, Record<string, never>>;

/**
 * Opens the one socket of a client, not connected yet. Times in milliseconds.
 * @param headers of the handshake, where no browser sends the cookie
 */
export function openSocket(
  origin: string,
  headers: Readonly<Record<string, string>> | undefined,
): LiveSocket {
  return io(origin, {
    path: endpoints.connect.path,
    autoConnect: false,
    // Each client has a connection of its own, also several in one process.
    forceNew: true,
    transports: ['websocket'],
    withCredentials: true,
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 0.5,
    timeout: 20_000,
    ...(headers && { extraHeaders: { ...headers } }),
  });
}
