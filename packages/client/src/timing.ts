/** How long a client waits. Milliseconds. */
export interface ClientTiming {
  /** Before a message that could not be sent goes out again; it doubles with each failure in a row. */
  readonly sendRetryFirst: number;
  readonly sendRetryLast: number;
  /** Before what was missed is fetched again; of a single room, it grows to the last. */
  readonly resyncRetry: number;
  readonly resyncRetryLast: number;
  /** While requests for the chat list are gathered. */
  readonly gatherListRequests: number;
  /** While changes of the offline copy are gathered. */
  readonly gatherWrites: number;
  /** Before the live connection is tried again; it grows from the first to the last. */
  readonly reconnectFirst: number;
  readonly reconnectLast: number;
}

/** The times that users get; tests have shorter ones. */
export const DEFAULT_TIMING: ClientTiming = {
  sendRetryFirst: 1_000,
  sendRetryLast: 30_000,
  resyncRetry: 2_000,
  resyncRetryLast: 30_000,
  gatherListRequests: 250,
  gatherWrites: 250,
  reconnectFirst: 1_000,
  reconnectLast: 5_000,
};
