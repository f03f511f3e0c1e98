/** Close codes (RFC 6455 §7.4) and reasons with which the server closes a live connection. */
export const CLOSE_REASONS = {
  clientLeft: { code: 1000, reason: 'bye' },
  shutdown: { code: 1001, reason: 'server shutting down' },
  malformed: { code: 1002, reason: 'malformed packet' },
  binary: { code: 1003, reason: 'binary data' },
  connectTimeout: { code: 1008, reason: 'connect timeout' },
  pingTimeout: { code: 1008, reason: 'ping timeout' },
  flood: { code: 1008, reason: 'too many packets' },
  sessionEnded: { code: 1008, reason: 'session ended' },
  eventsMissed: { code: 1012, reason: 'reconnect to resync' },
  internalError: { code: 1011, reason: 'internal error' },
} as const satisfies Record<string, { code: number; reason: string }>;

/** A reason for which the server closes a live connection. */
export type CloseReason = keyof typeof CLOSE_REASONS;
