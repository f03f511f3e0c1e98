import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyBaseLogger } from 'fastify';
import type { ErrorResponse } from '@parley/contract';
import { DEFAULT_LANGUAGE } from '@parley/texts';
import { ERROR_MESSAGES } from '../errors/error-messages.ts';
import type { CurrentSession } from '../plugins/current-session.ts';
import { CLOSE_REASONS, type CloseReason } from './close-reasons.ts';
import type { Deadlines } from './deadlines.ts';
import type { LiveLimits } from './live-limits.ts';
import {
  decodeClientPacket,
  encodeAck,
  encodeConnected,
  encodeConnectError,
  encodeDisconnect,
  encodeOpen,
  encodePing,
  NAMESPACE,
  type ClientPacket,
} from './packets.ts';
import type { ReceiveSignal } from './signals.ts';

/** The dependencies and timers that all connections of a server share. */
export interface ConnectionContext {
  readonly limits: LiveLimits;
  readonly log: FastifyBaseLogger;
  /** Each connection has one deadline at a time: for its CONNECT, its next ping or its pong. */
  readonly connectDeadlines: Deadlines<LiveSocket>;
  readonly pingDeadlines: Deadlines<LiveSocket>;
  readonly pongDeadlines: Deadlines<LiveSocket>;
  /** Returns whether a session exists and has not expired. */
  readonly isSessionActive: (sessionId: string) => Promise<boolean>;
  readonly receiveSignal: ReceiveSignal;
  /** Called once per connection, when it stops sending. */
  readonly onClosed: (connection: LiveSocket) => void;
}

/**
 * - `opened`: waiting for CONNECT
 * - `connecting`: checking the session again
 * - `idle`: connected, waiting for the next ping to be due
 * - `pinged`: connected, waiting for a pong
 * - `closed`: final; incoming data is ignored
 */
type State = 'opened' | 'connecting' | 'idle' | 'pinged' | 'closed';

/** The server side of a live connection: Engine.IO 4 and Socket.IO 5 over an open websocket. */
export class LiveSocket {
  readonly userId: string;
  /** Public id of the session that opened the connection. */
  readonly sessionId: string;
  /** Whether the client is in use. Undefined unless it follows the presence of partners. */
  isActive: boolean | undefined;
  /** The chatroom that the client has in view. */
  viewedId: string | null = null;
  readonly #context: ConnectionContext;
  readonly #socket: WebSocket;
  /** The connection below the websocket. */
  readonly #transport: Socket;
  #state: State = 'opened';
  /** Packets received since the last ping. */
  #packets = 0;

  constructor(
    context: ConnectionContext,
    socket: WebSocket,
    transport: Socket,
    { userId, sessionId }: CurrentSession,
  ) {
    this.userId = userId;
    this.sessionId = sessionId;
    this.#context = context;
    this.#socket = socket;
    this.#transport = transport;
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    // Websocket-level ping and pong frames cost as much as a packet, so they count as packets.
    socket.on('ping', () => this.#countPacket());
    socket.on('pong', () => this.#countPacket());
    // After an error, such as an oversized frame, the socket closes itself.
    socket.on('error', (error: Error) => context.log.debug({ err: error }, 'live socket failed'));
    socket.on('close', () => this.#end());
  }

  /** Sends the handshake and waits for the client's CONNECT. */
  open(): void {
    this.#context.connectDeadlines.start(this);
    this.#send(encodeOpen(randomUUID(), this.#context.limits));
  }

  /**
   * Sends the frame of an event if the client is connected. A client that is still connecting resyncs
   * afterwards.
   */
  sendEvent(frame: Buffer): void {
    if (this.#state !== 'idle' && this.#state !== 'pinged') return;
    // Without compression, the websocket itself delays no frame either.
    if (this.#socket.readyState === this.#socket.OPEN) this.#transport.write(frame);
    this.#limitBuffer();
  }

  /** Sends a ping and starts the deadline for the pong. */
  ping(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'pinged';
    this.#packets = 0;
    this.#context.pongDeadlines.start(this);
    this.#send(encodePing());
  }

  /**
   * Ends the Socket.IO session before closing, so that the client does not reconnect automatically.
   */
  disconnect(reason: CloseReason): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'opened' || this.#state === 'connecting') {
      this.#send(encodeConnectError(NAMESPACE, 'unauthenticated'));
    } else {
      this.#send(encodeDisconnect());
    }
    this.close(reason);
  }

  close(reason: CloseReason): void {
    if (this.#state === 'closed') return;
    this.#end();
    this.#context.log.debug({ reason }, 'closing a live connection');
    const { code, reason: text } = CLOSE_REASONS[reason];
    this.#socket.close(code, text);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.#countPacket()) return;
    if (isBinary) return this.close('binary');
    const packet = decodeClientPacket(data.toString());
    if (packet === undefined) return this.close('malformed');
    return this.#handle(packet);
  }

  /**
   * Counts a packet or frame of the client. Returns false if the connection is or has been closed.
   */
  #countPacket(): boolean {
    if (this.#state === 'closed') return false;
    this.#packets += 1;
    if (this.#packets <= this.#context.limits.maxPackets) return true;
    this.close('flood');
    // Stop parsing the data that the client still sends. The close timeout ends the connection.
    this.#socket.pause();
    return false;
  }

  #handle(packet: ClientPacket): void {
    if (packet.type === 'close') return this.close('clientLeft');
    // A pong without a preceding ping is harmless and ignored.
    if (packet.type === 'pong') return this.#handlePong();
    if (packet.type === 'connect') return this.#handleConnect(packet.namespace);
    const isConnected = this.#state === 'idle' || this.#state === 'pinged';
    if (packet.namespace !== NAMESPACE || !isConnected) return this.close('malformed');
    if (packet.type === 'disconnect') return this.close('clientLeft');
    if (packet.type !== 'event') return;
    this.#context.receiveSignal(this, packet.name, packet.payload);
    // Nothing is said about any event, except that an acknowledgement must not be waited for.
    if (packet.ackId !== undefined) {
      const response: ErrorResponse = {
        errorMessage: ERROR_MESSAGES[DEFAULT_LANGUAGE].not_found,
        code: 'not_found',
      };
      this.#send(encodeAck(packet.ackId, response));
    }
  }

  #handlePong(): void {
    if (this.#state !== 'pinged') return;
    this.#context.pongDeadlines.stop(this);
    this.#becomeIdle();
  }

  #handleConnect(namespace: string): void {
    if (namespace !== NAMESPACE) {
      this.#send(encodeConnectError(namespace, 'Invalid namespace'));
    } else if (this.#state === 'opened') {
      this.#state = 'connecting';
      void this.#connect();
    } else {
      this.close('malformed');
    }
  }

  /**
   * Checks the session again: it may have ended after the upgrade, before this connection received
   * events.
   */
  async #connect(): Promise<void> {
    const isActive = await this.#context.isSessionActive(this.sessionId).catch((error: unknown) => {
      this.#context.log.warn({ err: error }, 'session could not be looked up');
      return undefined;
    });
    if (this.#state !== 'connecting') return;
    if (isActive === undefined) return this.close('internalError');
    if (!isActive) return this.disconnect('sessionEnded');
    this.#context.connectDeadlines.stop(this);
    this.#becomeIdle();
    this.#send(encodeConnected(randomUUID()));
  }

  #becomeIdle(): void {
    this.#state = 'idle';
    this.#context.pingDeadlines.start(this);
  }

  #send(packet: string): void {
    this.#socket.send(packet);
    this.#limitBuffer();
  }

  #limitBuffer(): void {
    const socket = this.#socket;
    if (socket.bufferedAmount <= this.#context.limits.maxBuffered) return;
    // A client that does not read would not receive a close frame either.
    this.#end();
    socket.terminate();
    this.#context.log.debug('terminated a live connection that does not read');
  }

  /** Clears the deadlines and unregisters the connection. */
  #end(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#context.connectDeadlines.stop(this);
    this.#context.pingDeadlines.stop(this);
    this.#context.pongDeadlines.stop(this);
    this.#context.onClosed(this);
  }
}
