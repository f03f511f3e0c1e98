import {
  endpoints,
  type ClientSignals,
  type PayloadHandlers,
  type ServerEvents,
} from '@parley/contract';
import { io, NodeWebSocket, type Socket } from 'socket.io-client';
import type { ClientTiming } from '../timing.ts';

/** The live connection's socket. */
export type ClientSocket = Socket<PayloadHandlers<ServerEvents>, PayloadHandlers<ClientSignals>>;

/**
 * Creates a client's socket without connecting it. Times are in milliseconds.
 * @param headers for the handshake, if no browser sends the cookie
 */
export type OpenSocket = (
  origin: string,
  headers: Readonly<Record<string, string>> | undefined,
  timing: Pick<ClientTiming, 'reconnectMin' | 'reconnectMax'>,
) => ClientSocket;

/**
 * A websocket that fails if it is closed before the server's handshake. Socket.IO would wait for the handshake until
 * its timeout.
 */
class HandshakingWebSocket extends NodeWebSocket {
  /** Whether the server has responded, or this side closes the websocket. */
  #isSettled = false;

  override onData(data: Parameters<NodeWebSocket['onData']>[0]): void {
    this.#isSettled = true;
    super.onData(data);
  }

  override onClose(details?: Parameters<NodeWebSocket['onClose']>[0]): void {
    // An error closes it, too.
    if (this.#isSettled) super.onClose(details);
    else this.onError('closed before the handshake', details);
  }

  override doClose(): void {
    this.#isSettled = true;
    super.doClose();
  }
}

/** Creates a Socket.IO socket. */
export const openSocket: OpenSocket = (origin, headers, { reconnectMin, reconnectMax }) =>
  io(origin, {
    path: endpoints.connect.path,
    autoConnect: false,
    // Each client has its own connection, even several in one process.
    forceNew: true,
    transports: [HandshakingWebSocket],
    withCredentials: true,
    reconnectionDelay: reconnectMin,
    reconnectionDelayMax: reconnectMax,
    randomizationFactor: 0.5,
    timeout: 20_000,
    ...(headers && { extraHeaders: { ...headers } }),
  });
