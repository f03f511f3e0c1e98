/** Bounds of the live connection. Times in milliseconds, sizes in bytes. */
export interface LiveLimits {
  /** Time between a client's last sign of life and the next ping. */
  readonly pingInterval: number;
  /** Time that a client has to answer a ping. */
  readonly pingTimeout: number;
  /** Time that a client has for its CONNECT. */
  readonly connectTimeout: number;
  /** Time that a client has to answer a close frame before its TCP connection is cut. */
  readonly closeTimeout: number;
  /** Largest frame that a client may send. */
  readonly maxPayload: number;
  /** Packets, and ping and pong frames, that a client may send between two pings. */
  readonly maxPackets: number;
  /** What may wait for a client that does not read. */
  readonly maxBuffered: number;
  readonly maxConnectionsPerUser: number;
  readonly maxConnections: number;
}

/** A client says one CONNECT, then a pong every 25 seconds: the bounds leave room and no more. */
export const LIVE_LIMITS: LiveLimits = {
  pingInterval: 25_000,
  pingTimeout: 20_000,
  // Plus an interval, below the 45 seconds of silence after which a client gives up.
  connectTimeout: 15_000,
  closeTimeout: 2_000,
  maxPayload: 16 * 1024,
  maxPackets: 100,
  maxBuffered: 1024 * 1024,
  maxConnectionsPerUser: 20,
  maxConnections: 20_000,
};
