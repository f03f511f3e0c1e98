import type { LiveConnection, MemoryBrowser } from '@parley/memory-server';

/** Longer than any test, even with fake timers, as no connection dies unnoticed here. Milliseconds. */
const PING_INTERVAL = 1_000_000_000;

const HANDSHAKE = {
  sid: 'engine-id',
  upgrades: [],
  pingInterval: PING_INTERVAL,
  pingTimeout: PING_INTERVAL,
  maxPayload: 1_000_000,
};

/**
 * A WebSocket that Socket.IO's client can use, with a server that speaks Engine.IO 4 and Socket.IO 5 behind it. A
 * browser that cannot connect refuses it.
 */
export class MemorySocket {
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  onclose?: () => void;
  readonly #onConnected: () => void;
  #connection: LiveConnection | undefined;
  #isConnected = false;
  #isClosed = false;

  /** @param onConnected called once Socket.IO's client is connected */
  constructor(browser: MemoryBrowser | undefined, onConnected: () => void) {
    this.#onConnected = onConnected;
    // As in browsers, after the caller has set its listeners.
    queueMicrotask(() => this.#open(browser));
  }

  #open(browser: MemoryBrowser | undefined): void {
    if (this.#isClosed) return;
    this.#connection = browser?.connect({
      // A client that is still connecting fetches afterwards what it has missed.
      onEvent: ({ name, payload }) => {
        if (this.#isConnected) this.#receive(`42${JSON.stringify([name, payload])}`);
      },
      onClose: () => this.close(),
    });
    if (!this.#connection) {
      this.onerror?.();
      this.close();
      return;
    }
    this.onopen?.();
    this.#receive(`0${JSON.stringify(HANDSHAKE)}`);
  }

  /** Sends a packet of the client. */
  send(packet: string): void {
    if (packet.startsWith('40')) {
      this.#isConnected = true;
      this.#receive('40{"sid":"socket-id"}');
      this.#onConnected();
    } else if (packet.startsWith('42')) {
      const [name, payload] = JSON.parse(packet.slice(2)) as [string, unknown];
      this.#connection?.signal(name, payload);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection?.close();
    queueMicrotask(() => this.onclose?.());
  }

  #receive(data: string): void {
    queueMicrotask(() => {
      if (!this.#isClosed) this.onmessage?.({ data });
    });
  }
}
