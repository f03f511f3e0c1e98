import type { DomainEvent } from '../domain-events.ts';

/**
 * A background task that runs until `signal` is aborted, and then settles soon. It must not reject.
 * `closing` is aborted only if the server closes, and then together with `signal`.
 */
export type Job = (signal: AbortSignal, closing: AbortSignal) => Promise<void>;

/** A counter that allows `max` uses in a time window, which begins with the first one. */
export interface SharedCounter {
  readonly key: string;
  readonly max: number;
  /** Length of the window in milliseconds. */
  readonly duration: number;
}

/** Counters of uses that all servers on a database share, with the clock of the database. */
export interface SharedCounters {
  /**
   * Adds a use to each counter that is not exhausted, atomically. Returns the exhausted ones by
   * their keys, with the milliseconds until their windows end. Adds nothing if there are some and
   * `isAllowed` returns false for them.
   */
  use(
    counters: readonly SharedCounter[],
    isAllowed: (exhausted: ReadonlyMap<string, number>) => boolean,
  ): Promise<ReadonlyMap<string, number>>;
  /** Removes a use from each counter whose window has not ended. */
  refund(counters: readonly SharedCounter[]): Promise<void>;
  /** Deletes counters whose windows have ended. */
  deleteExpired(): Promise<void>;
}

/** What the servers on a database do together. */
export interface Cluster {
  /** Whether other servers may use the database at the same time. */
  readonly isShared: boolean;
  /**
   * Runs a job in one of the servers on the database at a time: immediately if there is only one,
   * otherwise whenever this server becomes the leader. It may run in two servers for a few seconds
   * after the leader has lost its connection. Returns a function that ends the job, so that another
   * server can become the leader, and resolves once it has settled.
   */
  lead(job: Job): () => Promise<void>;
  /** Undefined if the database is not shared. */
  readonly sharedCounters: SharedCounters | undefined;
  /**
   * Whether events are exchanged with other processes. Always true if there are no other processes.
   * If not, writes with events are rejected.
   */
  readonly isReceivingEvents: boolean;
  /**
   * Sends events that belong to no write to the other processes, if there are any. They may be lost.
   */
  broadcast(events: readonly DomainEvent[]): void;
}
