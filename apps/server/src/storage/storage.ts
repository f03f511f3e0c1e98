import type { QueryCreator, QueryExecutorProvider } from 'kysely';
import type { DomainEvent } from '../domain-events.ts';
import type { SchemaState } from './schema.ts';
import type { Tables } from './tables/index.ts';

/**
 * Queries that only select. All queries of one `storage.read` see the same snapshot. A function that
 * takes a `Reader` also accepts a {@link Writer}.
 */
export type Reader = Pick<QueryCreator<Tables>, 'selectFrom' | 'selectNoFrom'>;

/** Queries in a transaction. */
export type Writer = Reader &
  Pick<QueryCreator<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'> &
  QueryExecutorProvider;

/** The transaction of a write and its events. */
export interface WriteContext {
  readonly trx: Writer;
  /** Publishes an event once this write is committed. Discards it if the write is rolled back. */
  readonly emit: (event: DomainEvent) => void;
}

/** Callbacks of a storage. */
export interface StorageObserver {
  /** Called with the events of each write, after its commit. Must not throw. */
  readonly publish: (event: DomainEvent) => void;
  /**
   * Called after each commit of this process with the number of its writes, its duration and its
   * events. Must not throw.
   */
  readonly onCommitted?: (writes: number, seconds: number, events: readonly DomainEvent[]) => void;
}

/** Options of a write. */
export interface WriteOptions {
  /**
   * Whether the write may run at the same time as other concurrent ones on engines that can. It
   * must then lock every row that its decisions depend on. Other writes run one at a time, over all
   * processes.
   */
  readonly isConcurrent?: boolean;
}

/** Called with the number of rows that have been copied and of all rows to copy. */
export type OnRowsCopied = (done: number, total: number) => void;

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

/** Returned by a write to roll back and still resolve with a value. */
export class Rollback<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Access to the database.
 *
 * Methods that wait for the database reject with a {@link StorageMisuseError} when they are called
 * inside a read or write, because they could wait forever for that read or write to end.
 */
export interface Storage {
  /**
   * Runs queries on a consistent snapshot. `work` must contain only database calls, because an open
   * read keeps the write-ahead log from being truncated.
   */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a write. Resolves once it is committed and flushed to disk and its events are published.
   * Rejects with the error of `work`, after a rollback, or with an error of the database.
   */
  write<T>(
    work: (context: WriteContext) => Promise<T | Rollback<T>>,
    options?: WriteOptions,
  ): Promise<T>;
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
  /** Number of writes waiting for their commit. */
  readonly writeQueueDepth: number;
  /**
   * Whether events are exchanged with other processes. Always true if there are no other processes.
   * If not, writes with events are rejected.
   */
  readonly isReceivingEvents: boolean;
  /**
   * Sends events that belong to no write to the other processes, if there are any. They may be lost.
   */
  broadcast(events: readonly DomainEvent[]): void;
  /** Resolves once no write is waiting. */
  idle(): Promise<void>;
  /** Waits for reads and writes in progress, then closes the database. */
  close(): Promise<void>;

  /**
   * Returns what identifies this database among copies of it that `parley restore` or a dump
   * created elsewhere.
   */
  id(): Promise<string>;
  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): Promise<SchemaState>;
  /** Returns the size of the database on disk in bytes, including the write-ahead log. */
  size(): Promise<number>;
  /**
   * Writes a consistent copy of the database to a new SQLite file. Engines that copy row by row
   * call `onRowsCopied`.
   * @throws if the disk is full or the folder is not writable; leaves no file behind in that case.
   */
  snapshot(file: string, onRowsCopied?: OnRowsCopied): Promise<void>;
  /**
   * Deletes pre-upgrade snapshots that have expired, if the engine creates any; `now` is in UTC
   * milliseconds.
   */
  deleteOldSnapshots(now: number): void;
  /** Returns whether there are pre-upgrade snapshots, to which the operator may go back. */
  hasSnapshots(): boolean;
  /**
   * Truncates the write-ahead log, which still contains deleted texts. Returns false if another
   * process is using the database, instead of waiting and blocking the event loop. Does nothing on
   * engines that recycle their log by themselves.
   */
  truncateWriteAheadLog(): Promise<boolean>;
  /**
   * Rewrites the database, so that no deleted text of earlier versions remains in its free pages.
   * Needs disk space for two more copies. Does nothing on engines without such versions.
   */
  rewrite(): Promise<void>;
}

/**
 * A database file opened read-only for checks. Its methods throw an `SqliteError` if it is not a
 * database.
 */
export interface Inspection extends Pick<Storage, 'read' | 'close'> {
  /** Returns the first problem of the file, or undefined if it is intact. */
  findDamage(): string | undefined;
  /**
   * Returns how the schema differs from the one that the migrations create, such as `an unknown trigger evil`, or
   * undefined.
   */
  findSchemaDifference(): Promise<string | undefined>;
  /** Returns whether rows reference rows that do not exist. */
  hasBrokenReferences(): boolean;
  /** Like {@link Storage.id}, but returns undefined if no server has used the database yet. */
  id(): Promise<string | undefined>;
  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): SchemaState;
}
