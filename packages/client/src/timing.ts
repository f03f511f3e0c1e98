/** Intervals of a client, in milliseconds. */
export interface ClientTiming {
  /** Backoff before an unsent message is retried. It doubles with each consecutive failure. */
  readonly sendRetryMin: number;
  readonly sendRetryMax: number;
  /** Interval between resync attempts. For a single chatroom it doubles up to the maximum. */
  readonly resyncRetryMin: number;
  readonly resyncRetryMax: number;
  /** Throttle for fetching the chat list. */
  readonly chatListThrottle: number;
  /** How long delivered messages are gathered before they are reported. */
  readonly deliveryGather: number;
  /** Throttle for writing the offline copy. */
  readonly copyWriteThrottle: number;
  /** Backoff before the live connection is retried. */
  readonly reconnectMin: number;
  readonly reconnectMax: number;
}

/** Intervals in production. Tests use shorter ones. */
export const DEFAULT_TIMING: ClientTiming = {
  sendRetryMin: 1_000,
  sendRetryMax: 30_000,
  resyncRetryMin: 2_000,
  resyncRetryMax: 30_000,
  chatListThrottle: 250,
  deliveryGather: 250,
  copyWriteThrottle: 250,
  reconnectMin: 500,
  reconnectMax: 5_000,
};
