import { endpoints, type ServerEvents } from '@parley/contract';
import { io, type Socket } from 'socket.io-client';

/** The live connection; the client sends no events of its own. */
export type LiveSocket = Socket<ServerEvents, Record<string, never>>;

/** The one socket of the application, not connected yet. Times in milliseconds. */
export function openSocket(origin: string): LiveSocket {
  return io(origin, {
    path: endpoints.connect.path,
    autoConnect: false,
    transports: ['websocket'],
    withCredentials: true,
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 0.5,
    timeout: 20_000,
  });
}
