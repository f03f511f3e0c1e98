import type { QueryCreator, QueryExecutorProvider } from 'kysely';
import type { DomainEvent } from '../domain-events.ts';
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

/** Options of a write. */
export interface WriteOptions {
  /**
   * Whether the write may run at the same time as other concurrent ones on engines that can. It
   * must then lock every row that its decisions depend on. Other writes run one at a time, over all
   * processes.
   */
  readonly isConcurrent?: boolean;
}

/** Returned by a write to roll back and still resolve with a value. */
export class Rollback<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Reads and writes a database.
 *
 * Both methods reject with a {@link StorageMisuseError} when they are called inside a read or write,
 * because they could wait forever for that read or write to end. So do the methods of a database's
 * other parts that wait for it.
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
}
