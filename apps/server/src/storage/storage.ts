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
  /** Called after each commit with the number of its writes and its duration. Must not throw. */
  readonly onCommitted?: (writes: number, seconds: number) => void;
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
  write<T>(work: (context: WriteContext) => Promise<T | Rollback<T>>): Promise<T>;
  /** Number of writes waiting for their commit. */
  readonly writeQueueDepth: number;
  /** Resolves once no write is waiting. */
  idle(): Promise<void>;
  /** Waits for reads and writes in progress, then closes the database. */
  close(): Promise<void>;

  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): Promise<SchemaState>;
  /** Returns the size of the database on disk in bytes, including the write-ahead log. */
  size(): Promise<number>;
  /**
   * Writes a consistent copy of the database to a new file.
   * @throws if the disk is full or the folder is not writable; leaves no file behind in that case.
   */
  snapshot(file: string): Promise<void>;
  /** Deletes pre-upgrade snapshots that have expired; `now` is in UTC milliseconds. */
  deleteOldSnapshots(now: number): void;
  /**
   * Truncates the write-ahead log, which still contains deleted texts. Returns false if another
   * process is using the database, instead of waiting and blocking the event loop.
   */
  truncateWriteAheadLog(): Promise<boolean>;
  /**
   * Rewrites the database, so that no deleted text remains in its free pages. Needs disk space for two
   * more copies.
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
  /** Returns whether rows reference rows that do not exist. */
  hasBrokenReferences(): boolean;
  /** Returns which migrations are done, pending or unknown to this version. */
  schema(): SchemaState;
}
