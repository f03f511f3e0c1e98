import { Agent } from 'node:http';
import { Socket as TcpSocket } from 'node:net';
import type { TestUser } from '@parley/server/test-server';
import type { ClientSocket } from '../../../src/sync/socket.ts';

/** The effect of the network on a request. */
export type RequestFault = 'none' | 'lose-request' | 'lose-response' | 'hold-response';

/** The effect of the network on a live event. A held event is delivered after the next one. */
export type EventFault = 'none' | 'lose' | 'double' | 'hold';

/** Receives the traffic that passes through a network. */
export interface NetworkObserver {
  /** Called with the body of each JSON request before it is sent. */
  readonly onRequest: (path: string, body: unknown) => void;
  /** Called with each live event before the client receives it. */
  readonly onEvent: (name: string, args: readonly unknown[]) => void;
}

/** Events without a revision, which the connection delivers in order. */
const ORDERED_EVENTS: ReadonlySet<string> = new Set(['presence']);

const CONNECTION_EVENTS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'connect_error']);

/** The network between a tab and the server. Its faults lose, hold, double and reorder traffic. */
export class Network {
  /** The effects on the next requests, in order. */
  requestFaults: RequestFault[] = [];
  /** The effects on the next live events, in order. */
  eventFaults: EventFault[] = [];
  /** Events that are never lost, because no later event replaces them. */
  readonly #keptEvents: ReadonlySet<string>;
  readonly #user: TestUser;
  readonly #observer: NetworkObserver;
  readonly #agent = new Agent();
  readonly #tcpSockets = new Set<TcpSocket>();
  readonly #running = new Set<(error: TypeError) => void>();
  readonly #held = new Set<() => void>();
  #heldEvents: (() => void)[] = [];
  #isUp = true;
  #isHealed = false;
  #isClosed = false;
  /** Number of requests without a response, including abandoned ones. */
  #pendingCount = 0;

  constructor(user: TestUser, keptEvents: readonly string[], observer: NetworkObserver) {
    this.#user = user;
    this.#observer = observer;
    this.#keptEvents = new Set(keptEvents);
    const connect = this.#agent.createConnection.bind(this.#agent);
    this.#agent.createConnection = (...args) => {
      if (!this.#isUp) {
        const refused = new TcpSocket();
        process.nextTick(() => refused.destroy(new Error('the network is down')));
        return refused;
      }
      const socket = connect(...args) as TcpSocket;
      this.#tcpSockets.add(socket);
      socket.on('close', () => this.#tcpSockets.delete(socket));
      return socket;
    };
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether the response to a request is held. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Whether no requests are pending except held ones. */
  get isIdle(): boolean {
    return this.#pendingCount === 0 && this.#running.size === this.#held.size;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const fault = this.requestFaults.shift() ?? 'none';
    if (!this.#isUp || fault === 'lose-request') throw new TypeError('the request was lost');
    const failure = Promise.withResolvers<never>();
    const { signal } = request;
    signal.addEventListener('abort', () => failure.reject(signal.reason));
    this.#running.add(failure.reject);
    try {
      const response = await Promise.race([this.#send(request), failure.promise]);
      if (fault === 'lose-response') throw new TypeError('the response was lost');
      if (fault === 'hold-response' && !this.#isHealed) await this.#hold(failure.promise);
      return response;
    } finally {
      this.#running.delete(failure.reject);
    }
  };

  /** Routes a live connection through this network. */
  attach(socket: ClientSocket): ClientSocket {
    const user = this.#user;
    Object.assign(socket.io.opts, {
      agent: this.#agent,
      // As in a browser, each handshake sends the current cookie.
      extraHeaders: {
        get cookie() {
          return user.cookie;
        },
        // The library writes the header back after reading it.
        set cookie(_unchanged: string | string[]) {},
      },
    });
    const on = socket.on.bind(socket) as (name: string, listener: Listener) => ClientSocket;
    const patched = (name: string, listener: Listener): ClientSocket =>
      on(
        name,
        CONNECTION_EVENTS.has(name)
          ? listener
          : (...args) =>
              this.#deliver(name, () => {
                this.#observer.onEvent(name, args);
                listener(...args);
              }),
      );
    on('disconnect', () => {
      this.#heldEvents = [];
    });
    return Object.assign(socket, { on: patched });
  }

  /** Aborts all requests and connections, and rejects new ones. */
  cut(): void {
    this.#isUp = false;
    for (const fail of this.#running) fail(new TypeError('the network went down'));
    for (const socket of this.#tcpSockets) socket.destroy();
  }

  restore(): void {
    if (!this.#isClosed) this.#isUp = true;
  }

  /** Delivers held responses and events. */
  release(): void {
    for (const release of this.#held) release();
    for (const deliver of this.#heldEvents.splice(0)) deliver();
  }

  /** Ends all faults. */
  heal(): void {
    this.#isHealed = true;
    this.requestFaults = [];
    this.eventFaults = [];
    this.restore();
    this.release();
  }

  /** Cuts the network permanently, because its page is closed. */
  close(): void {
    this.#isClosed = true;
    this.cut();
  }

  async #send(request: Request): Promise<Response> {
    request.headers.set('cookie', this.#user.cookie);
    // Compression is not tested here and would take time.
    request.headers.set('accept-encoding', 'identity');
    this.#pendingCount += 1;
    try {
      if (request.headers.get('content-type') === 'application/json') {
        const body: unknown = await request.clone().json();
        this.#observer.onRequest(new URL(request.url).pathname, body);
      }
      const response = await fetch(request);
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    } finally {
      this.#pendingCount -= 1;
    }
  }

  async #hold(failure: Promise<never>): Promise<void> {
    const released = Promise.withResolvers<void>();
    this.#held.add(released.resolve);
    await Promise.race([released.promise, failure]).finally(() =>
      this.#held.delete(released.resolve),
    );
  }

  #deliver(name: string, listener: () => void): void {
    let fault = this.eventFaults.shift() ?? 'none';
    if (fault === 'lose' && this.#keptEvents.has(name)) fault = 'none';
    if (fault === 'hold' && ORDERED_EVENTS.has(name)) fault = 'none';
    if (fault === 'hold') {
      this.#heldEvents.push(listener);
      return;
    }
    if (fault !== 'lose') listener();
    if (fault === 'double') listener();
    for (const deliver of this.#heldEvents.splice(0)) deliver();
  }
}

type Listener = (...args: unknown[]) => void;
