import { endpoints, type ServerEvents } from '@parley/contract';
import { io, type Socket } from 'socket.io-client';
import type { ClientTiming } from '../timing.ts';

/** The live connection; the client sends no events of its own. */
export type LiveSocket = Socket<ServerEvents, Record<string, never>>;

/**
 * Opens the one socket of a client, not connected yet. Times in milliseconds.
 * @param headers of the handshake, where no browser sends the cookie
 */
export type OpenSocket = (
  origin: string,
  headers: Readonly<Record<string, string>> | undefined,
  timing: Pick<ClientTiming, 'reconnectMin' | 'reconnectMax'>,
) => LiveSocket;

/** Opens the socket that a browser or Node has. */
export const openSocket: OpenSocket = (origin, headers, { reconnectMin, reconnectMax }) =>
  io(origin, {
    path: endpoints.connect.path,
    autoConnect: false,
    // Each client has a connection of its own, also several in one process.
    forceNew: true,
    transports: ['websocket'],
    withCredentials: true,
    reconnectionDelay: reconnectMin,
    reconnectionDelayMax: reconnectMax,
    randomizationFactor: 0.5,
    timeout: 20_000,
    ...(headers && { extraHeaders: { ...headers } }),
  });
