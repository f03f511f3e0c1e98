import { randomUUID } from 'node:crypto';
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

/** What the connections of a server share. */
export interface ConnectionContext {
  readonly limits: LiveLimits;
  readonly log: FastifyBaseLogger;
  /** A connection has one deadline at a time: for its CONNECT, until its next ping, or for its pong. */
  readonly connectDeadlines: Deadlines<LiveSocket>;
  readonly pingDeadlines: Deadlines<LiveSocket>;
  readonly pongDeadlines: Deadlines<LiveSocket>;
  /** Whether a session still exists. */
  readonly isSessionActive: (sessionId: string) => Promise<boolean>;
  /** Called once for each connection, as soon as nothing more is sent to it. */
  readonly onClosed: (connection: LiveSocket) => void;
}

/**
 * opened: waits for CONNECT. connecting: the session is looked up once more. idle: until the next
 * ping. pinged: waits for the pong. closed: for good; what still arrives is dropped.
 */
type State = 'opened' | 'connecting' | 'idle' | 'pinged' | 'closed';

/** The server's end of one live connection: Engine.IO 4 and Socket.IO 5 over an open websocket. */
export class LiveSocket {
  readonly userId: string;
  /** Public id of the session that it was opened with. */
  readonly sessionId: string;
  readonly #context: ConnectionContext;
  readonly #socket: WebSocket;
  #state: State = 'opened';
  /** Packets of the client since the last ping. */
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
    // Frames of the websocket itself: it replies to a ping, and both cost as much as a packet.
    socket.on('ping', () => this.#countPacket());
    socket.on('pong', () => this.#countPacket());
    // The socket closes itself after an error, such as a frame that is too large.
    socket.on('error', (error: Error) => context.log.debug({ err: error }, 'live socket failed'));
    socket.on('close', () => this.#end());
  }

  /** Sends the handshake and waits for the client's CONNECT. */
  open(): void {
    this.#context.connectDeadlines.start(this);
    this.#send(encodeOpen(randomUUID(), this.#context.limits));
  }

  /** Sends an encoded event, unless the client has not connected yet: then it catches up by itself. */
  sendEvent(packet: Buffer): void {
    if (this.#state === 'idle' || this.#state === 'pinged') this.#send(packet);
  }

  /** Asks for a sign of life. */
  ping(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'pinged';
    this.#packets = 0;
    this.#context.pongDeadlines.start(this);
    this.#send(encodePing());
  }

  /** Ends the Socket.IO session first, so that the client does not come back by itself. */
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

  /** Returns whether the connection is still open after one more packet or frame of the client. */
  #countPacket(): boolean {
    if (this.#state === 'closed') return false;
    this.#packets += 1;
    if (this.#packets <= this.#context.limits.maxPackets) return true;
    this.close('flood');
    // What a flood still sends is not even parsed. The close timeout ends the connection.
    this.#socket.pause();
    return false;
  }

  #handle(packet: ClientPacket): void {
    if (packet.type === 'close') return this.close('clientLeft');
    // Without a ping, a pong means nothing; it is harmless, too.
    if (packet.type === 'pong') return this.#handlePong();
    if (packet.type === 'connect') return this.#handleConnect(packet.namespace);
    const isConnected = this.#state === 'idle' || this.#state === 'pinged';
    if (packet.namespace !== NAMESPACE || !isConnected) return this.close('malformed');
    if (packet.type === 'disconnect') return this.close('clientLeft');
    // Clients have nothing to say here. Whoever waits for an answer gets one, the rest is passed over.
    if (packet.type === 'event' && packet.ackId !== undefined) {
      const answer: ErrorResponse = {
        errorMessage: ERROR_MESSAGES[DEFAULT_LANGUAGE].not_found,
        code: 'not_found',
      };
      this.#send(encodeAck(packet.ackId, answer));
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

  // The session may have ended between the upgrade's check and the moment from which its end is heard.
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
    // Nothing can be said to a client that does not read: not even a close frame would arrive.
    this.#end();
    socket.terminate();
    this.#context.log.debug('cut a live connection that does not drain');
  }

  // Undoes what the states set up.
  #end(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#context.connectDeadlines.stop(this);
    this.#context.pingDeadlines.stop(this);
    this.#context.pongDeadlines.stop(this);
    this.#context.onClosed(this);
  }
}
