import { endpoints, type ClientSignals, type ServerEvents } from '@parley/contract';
import { io, type Socket } from 'socket.io-client';
import type { ClientTiming } from '../timing.ts';

/** The live connection's socket. */
export type ClientSocket = Socket<ServerEvents, ClientSignals>;

/**
 * Creates a client's socket without connecting it. Times are in milliseconds.
 * @param headers for the handshake, if no browser sends the cookie
 */
export type OpenSocket = (
  origin: string,
  headers: Readonly<Record<string, string>> | undefined,
  timing: Pick<ClientTiming, 'reconnectMin' | 'reconnectMax'>,
) => ClientSocket;

/** Creates a Socket.IO socket. */
export const openSocket: OpenSocket = (origin, headers, { reconnectMin, reconnectMax }) =>
  io(origin, {
    path: endpoints.connect.path,
    autoConnect: false,
    // Each client has its own connection, even several in one process.
    forceNew: true,
    transports: ['websocket'],
    withCredentials: true,
    reconnectionDelay: reconnectMin,
    reconnectionDelayMax: reconnectMax,
    randomizationFactor: 0.5,
    timeout: 20_000,
    ...(headers && { extraHeaders: { ...headers } }),
  });
