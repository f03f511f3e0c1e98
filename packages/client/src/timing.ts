/** How long a client waits. Milliseconds. */
export interface ClientTiming {
  /** Before a message that could not be sent goes out again; it doubles with each failure in a row. */
  readonly sendRetryMin: number;
  readonly sendRetryMax: number;
  /** Before what was missed is fetched again; of a single room, it grows to the last. */
  readonly resyncRetryMin: number;
  readonly resyncRetryMax: number;
  /** While requests for the chat list are gathered. */
  readonly chatListThrottle: number;
  /** While changes of the offline copy are gathered. */
  readonly copyWriteThrottle: number;
  /** Before the live connection is tried again; it grows from the first to the last. */
  readonly reconnectMin: number;
  readonly reconnectMax: number;
}

/** The times that users get; tests have shorter ones. */
export const DEFAULT_TIMING: ClientTiming = {
  sendRetryMin: 1_000,
  sendRetryMax: 30_000,
  resyncRetryMin: 2_000,
  resyncRetryMax: 30_000,
  chatListThrottle: 250,
  copyWriteThrottle: 250,
  reconnectMin: 1_000,
  reconnectMax: 5_000,
};
