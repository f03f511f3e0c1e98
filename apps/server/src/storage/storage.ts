import type { QueryCreator, QueryExecutorProvider } from 'kysely';
import type { DomainEvent } from '../events.ts';
import type { SchemaState } from './schema.ts';
import type { Tables } from './tables/index.ts';

/**
 * Queries that only select. All queries of one `storage.read` see the same moment. A function that takes
 * a `Reader` also accepts a {@link Writer}.
 */
export type Reader = Pick<QueryCreator<Tables>, 'selectFrom' | 'selectNoFrom'>;

/** Queries of one transaction. */
export type Writer = Reader &
  Pick<QueryCreator<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'> &
  QueryExecutorProvider;

/** What a write works with. */
export interface WriteContext {
  readonly trx: Writer;
  /** Publishes an event once this write is committed; discards it if the write is undone. */
  readonly emit: (event: DomainEvent) => void;
}

/** Whom a storage informs. */
export interface StorageObserver {
  /** Called with the events of each write, after its commit. Must not throw. */
  readonly publish: (event: DomainEvent) => void;
  /** Called after each commit with the number of its writes and its duration. Must not throw. */
  readonly onCommitted?: (writes: number, seconds: number) => void;
}

/** Returned by a write to undo everything it did and still resolve with a value. */
export class Undone<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * The two doors to the data, and what keeps the data in order.
 *
 * Every method that waits for the database rejects with a {@link StorageMisuseError} when it is called
 * inside of a read or write, since it could wait forever for the one around it.
 */
export interface Storage {
  /**
   * Runs queries on a consistent snapshot. `work` contains only database calls: a read that stays open
   * keeps the log from being cut.
   */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a write. Resolves after it is committed and flushed to disk and its events are published.
   * Rejects with the error of `work`, everything undone, or with an error of the database.
   */
  write<T>(work: (context: WriteContext) => Promise<T | Undone<T>>): Promise<T>;
  /** Number of writes that wait for their commit. */
  readonly depth: number;
  /** Resolves when no write is waiting. */
  idle(): Promise<void>;
  /** Finishes open reads and writes, then closes the database. */
  close(): Promise<void>;

  /** Returns which migrations the database has. */
  schema(): Promise<SchemaState>;
  /** Returns the size of the database on disk in bytes, log included. */
  size(): Promise<number>;
  /**
   * Writes a consistent copy of the database to a file that does not exist yet.
   * @throws if the disk is full or the folder cannot be written; leaves no file behind then.
   */
  snapshot(file: string): Promise<void>;
  /** Deletes the snapshots from before upgrades that are too old; `now` in UTC milliseconds. */
  deleteOldSnapshots(now: number): void;
  /**
   * Removes deleted texts from the log. Returns false if another process reads or writes at this moment:
   * it does not wait, since waiting would block the event loop.
   */
  cutLog(): Promise<boolean>;
  /**
   * Rewrites the database, so that no deleted text is left in its free space. Needs disk space for two
   * further copies.
   */
  rewrite(): Promise<void>;
}

/** A database file that is checked and not changed. Its methods throw an `SqliteError` for no database. */
export interface Inspection extends Pick<Storage, 'read' | 'close'> {
  /** What is wrong with the file, by the first finding; undefined if it is intact. */
  findDamage(): string | undefined;
  /** Whether rows refer to rows that do not exist. */
  hasBrokenReferences(): boolean;
  /** Which migrations the database has. */
  schema(): SchemaState;
}
