import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyBaseLogger } from 'fastify';
import type { ErrorResponse } from '@parley/contract';
import { DEFAULT_LANGUAGE } from '@parley/texts';
import { ERROR_MESSAGES } from '../errors/error-messages.ts';
import type { DeviceView } from '../notifications/view-tracker.ts';
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
  /** Called when the client reports that its user is typing in a chatroom. */
  readonly onTyping: (userId: string, chatroomId: string) => void;
  /**
   * Called when the client reports for the first time whether it is in use, and when that changes.
   */
  readonly onActivity: (connection: LiveSocket, isFirst: boolean) => void;
  /** Called when the client reports what its user has in view, or whether it is in use. */
  readonly onView: (connection: LiveSocket) => void;
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

/** An id of a chatroom. */
const ID = /^[\da-f-]{36}$/i;

/** The server side of a live connection: Engine.IO 4 and Socket.IO 5 over an open websocket. */
export class LiveSocket {
  readonly userId: string;
  /** Public id of the session that opened the connection. */
  readonly sessionId: string;
  readonly #context: ConnectionContext;
  readonly #socket: WebSocket;
  #state: State = 'opened';
  #isActive: boolean | undefined;
  #viewedId: string | null = null;
  /** Packets received since the last ping. */
  #packets = 0;

  constructor(
    context: ConnectionContext,
    socket: WebSocket,
    { userId, sessionId }: CurrentSession,
  ) {
    this.userId = userId;
    this.sessionId = sessionId;
    this.#context = context;
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    // Websocket-level ping and pong frames cost as much as a packet, so they count as packets.
    socket.on('ping', () => this.#countPacket());
    socket.on('pong', () => this.#countPacket());
    // After an error, such as an oversized frame, the socket closes itself.
    socket.on('error', (error: Error) => context.log.debug({ err: error }, 'live socket failed'));
    socket.on('close', () => this.#end());
  }

  /** Whether the client is in use. Undefined unless it follows the presence of partners. */
  get isActive(): boolean | undefined {
    return this.#isActive;
  }

  /** What the client has reported of its use. */
  get view(): DeviceView {
    return { userId: this.userId, isActive: this.#isActive, chatroomId: this.#viewedId };
  }

  /** Sends the handshake and waits for the client's CONNECT. */
  open(): void {
    this.#context.connectDeadlines.start(this);
    this.#send(encodeOpen(randomUUID(), this.#context.limits));
  }

  /**
   * Sends an encoded event if the client is connected. A client that is still connecting resyncs
   * afterwards.
   */
  sendEvent(packet: Buffer): void {
    if (this.#state === 'idle' || this.#state === 'pinged') this.#send(packet);
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
    if (packet.name === 'typing') this.#handleTyping(packet.payload);
    if (packet.name === 'presence') this.#handlePresence(packet.payload);
    if (packet.name === 'attend') this.#handleAttend(packet.payload);
    // Nothing is said about any event, except that an acknowledgement must not be waited for.
    if (packet.ackId !== undefined) {
      const response: ErrorResponse = {
        errorMessage: ERROR_MESSAGES[DEFAULT_LANGUAGE].not_found,
        code: 'not_found',
      };
      this.#send(encodeAck(packet.ackId, response));
    }
  }

  #handleTyping(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null || !('chatroom' in payload)) return;
    const { chatroom } = payload;
    if (typeof chatroom === 'string' && ID.test(chatroom)) {
      this.#context.onTyping(this.userId, chatroom);
    }
  }

  #handlePresence(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null || !('isActive' in payload)) return;
    const { isActive } = payload;
    if (typeof isActive !== 'boolean' || isActive === this.#isActive) return;
    const isFirst = this.#isActive === undefined;
    this.#isActive = isActive;
    this.#context.onActivity(this, isFirst);
    this.#context.onView(this);
  }

  #handleAttend(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null || !('chatroom' in payload)) return;
    const { chatroom } = payload;
    if (chatroom !== null && (typeof chatroom !== 'string' || !ID.test(chatroom))) return;
    const viewedId = chatroom?.toLowerCase() ?? null;
    if (viewedId === this.#viewedId) return;
    this.#viewedId = viewedId;
    this.#context.onView(this);
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

  #send(packet: string | Buffer): void {
    const socket = this.#socket;
    socket.send(packet, { binary: false });
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
