/** Limits of live connections. Times are in milliseconds, sizes in bytes. */
export interface LiveLimits {
  /** Time between the client's last pong, or its CONNECT, and the next ping. */
  readonly pingInterval: number;
  /** Time within which a client must respond to a ping. */
  readonly pingTimeout: number;
  /** Time within which a client must send its CONNECT. */
  readonly connectTimeout: number;
  /**
   * Time within which a client must respond to a close frame before its TCP connection is
   * destroyed.
   */
  readonly closeTimeout: number;
  /** Maximum size of a frame from a client. */
  readonly maxPayload: number;
  /** Maximum number of packets, ping and pong frames from a client between two pings. */
  readonly maxPackets: number;
  /** Maximum number of bytes buffered for a client that does not read. */
  readonly maxBuffered: number;
  readonly maxConnectionsPerUser: number;
  readonly maxConnections: number;
}

/** The default limits. A client sends one CONNECT and then a pong every 25 seconds. */
export const LIVE_LIMITS: LiveLimits = {
  pingInterval: 25_000,
  pingTimeout: 20_000,
  // Together with pingInterval, less than the 45 seconds of silence after which clients give up.
  connectTimeout: 15_000,
  closeTimeout: 2_000,
  maxPayload: 16 * 1024,
  maxPackets: 100,
  maxBuffered: 1024 * 1024,
  maxConnectionsPerUser: 20,
  maxConnections: 20_000,
};
