import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DomainEvent } from '../../domain-events.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { takeTurn } from '../../scheduling/time-slices.ts';
import { assertNotNested, runInScope } from '../scope.ts';
import { Rollback, type Storage, type WriteContext } from '../storage.ts';
import { exportDatabase } from './export-database.ts';
import { leadJob } from './leadership.ts';
import { PostgresConnection, query } from './postgres-connection.ts';
import { createPostgresExecutor } from './postgres-dialect.ts';
import {
  isPostgresUniqueViolation,
  isRejected,
  isRetryable,
  toPostgresError,
} from './postgres-errors.ts';
import { readPostgresSchema } from './migrate-postgres.ts';
import { createSharedCounters } from './shared-counters.ts';

/** Number of attempts of a read or write that fails because of concurrent ones. */
const ATTEMPTS_MAX = 10;
/** Maximum delay before the second attempt, in milliseconds. It grows with every attempt. */
const RETRY_DELAY = 5;

/** Key of the advisory lock that orders writes. "parley" in ASCII. */
const WRITE_LOCK = '123627512750201';

/** Begins a read-only transaction with one snapshot. */
export const READ_TRANSACTION = 'begin isolation level repeatable read read only';
const BEGIN_WRITE = 'begin isolation level read committed read write';
/** Prepared statements, because every write needs one of them. */
const LOCK = {
  exclusive: {
    name: 'parley_lock',
    text: `select pg_advisory_xact_lock(${WRITE_LOCK})`,
  },
  shared: {
    name: 'parley_lock_shared',
    text: `select pg_advisory_xact_lock_shared(${WRITE_LOCK})`,
  },
};

/** Callbacks of a storage on PostgreSQL. */
export interface CommitObserver {
  /** Called with the events of each write before its commit, on its connection. */
  readonly beforeCommit?: (client: pg.ClientBase, events: readonly DomainEvent[]) => Promise<void>;
  /** Called after each commit with its events and its duration in seconds. Must not throw. */
  readonly onCommitted: (events: readonly DomainEvent[], seconds: number) => void;
  /**
   * Called when the connection is lost during the commit of a write, which may have succeeded. Must
   * not throw.
   */
  readonly onUncertain?: () => void;
  /** Sends events that belong to no write to the other processes. */
  readonly broadcast?: (events: readonly DomainEvent[]) => void;
  /** Called before the pools end. */
  readonly beforeEnd?: () => Promise<void>;
  /** Returns whether events of other processes are received. */
  readonly isListening?: () => boolean;
  /** Aborted with an error once the database cannot be used any more. Operations reject with it. */
  readonly refused?: AbortSignal;
}

/** Begins a write transaction that runs alone, over all processes. */
export const WRITE_TRANSACTION = [BEGIN_WRITE, LOCK.exclusive];

/** Lets a transaction run for any time. */
export const NO_TIMEOUTS = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** Copies of a database have another id, unless they are physical copies of the whole cluster. */
const DATABASE_ID = `select system_identifier || '/' || oid as id
  from pg_control_system(), pg_database where datname = current_database()`;

/**
 * Creates the storage of a migrated database. Writes that run one at a time use `exclusivePool`.
 * Closing the storage ends both pools.
 */
export function createPostgresStorage(
  pool: pg.Pool,
  exclusivePool: pg.Pool,
  observer: CommitObserver,
): Storage {
  const executor = createPostgresExecutor();
  /** Reads in progress or waiting for a connection. */
  const reads = new Set<Promise<unknown>>();
  const writes = new Set<Promise<unknown>>();
  let isClosed = false;

  function track<T>(work: Promise<T>, set: Set<Promise<unknown>>): Promise<T> {
    set.add(work);
    const forget = (): void => void set.delete(work);
    work.then(forget, forget);
    return work;
  }

  function assertOpen(): void {
    if (isClosed) throw new Error('the storage is closed');
    observer.refused?.throwIfAborted();
  }

  /** Runs a write once. Publishes its events after the commit. */
  async function writeOnce<T>(
    work: (context: WriteContext) => Promise<T | Rollback<T>>,
    isConcurrent: boolean,
  ): Promise<T> {
    const startedAt = performance.now();
    const events: DomainEvent[] = [];
    const result = await inTransaction(
      isConcurrent ? pool : exclusivePool,
      [BEGIN_WRITE, isConcurrent ? LOCK.shared : LOCK.exclusive],
      async (client) => {
        const connection = new PostgresConnection(client);
        const done = await runInScope('write', executor, connection, (trx, assertScopeOpen) => {
          const emit = (event: DomainEvent): void => {
            assertScopeOpen();
            events.push(event);
          };
          return work({ trx, emit });
        });
        if (done instanceof Rollback) return done;
        // If this process ended before it sends them, the other ones would not notice.
        if (events.length > 0 && observer.isListening?.() === false)
          throw toPostgresError(new Error('events cannot be exchanged with other servers'));
        await observer.beforeCommit?.(client, events);
        return done;
      },
      observer.onUncertain,
    );
    if (result instanceof Rollback) return result.value;
    observer.onCommitted(events, (performance.now() - startedAt) / 1000);
    return result;
  }

  function write<T>(
    work: (context: WriteContext) => Promise<T | Rollback<T>>,
    isConcurrent: boolean,
  ): Promise<T> {
    // Of two concurrent writes that insert the same key, the second one finds it when it is
    // repeated.
    const canRepeat = (error: unknown): boolean =>
      isRetryable(error) || (isConcurrent && isPostgresUniqueViolation(error));
    return withRetries(() => writeOnce(work, isConcurrent), canRepeat);
  }

  return {
    async read(work) {
      assertNotNested('read');
      assertOpen();
      const readOnce = () =>
        inTransaction(pool, [READ_TRANSACTION], (client) =>
          runInScope('read', executor, new PostgresConnection(client), work),
        );
      const result = await track(withRetries(readOnce, isRetryable), reads);
      // Many results can arrive in the same turn of the event loop.
      await takeTurn();
      return result;
    },
    async write(work, { isConcurrent = false } = {}) {
      assertNotNested('write');
      assertOpen();
      return track(write(work, isConcurrent), writes);
    },
    isShared: true,
    lead(job) {
      const stop = leadJob(pool.options, job);
      observer.refused?.addEventListener('abort', () => void stop());
      return stop;
    },
    sharedCounters: createSharedCounters((work) => {
      assertOpen();
      // Not a write, because other writes do not wait for it.
      return track(
        withRetries(() => inTransaction(pool, [BEGIN_WRITE], work), isRetryable),
        reads,
      );
    }),
    get writeQueueDepth() {
      return writes.size;
    },
    get isReceivingEvents() {
      return observer.isListening?.() ?? true;
    },
    broadcast(events) {
      observer.broadcast?.(events);
    },
    async idle() {
      assertNotNested('idle');
      while (writes.size > 0) await Promise.allSettled(writes);
    },
    async close() {
      assertNotNested('close');
      if (isClosed) return;
      isClosed = true;
      while (reads.size + writes.size > 0) await Promise.allSettled([...reads, ...writes]);
      await observer.beforeEnd?.();
      await Promise.all([pool.end(), exclusivePool.end()]);
    },
    async id() {
      assertNotNested('id');
      const { rows } = await query<{ id: string }>(pool, DATABASE_ID);
      return rows[0]?.id ?? '';
    },
    async schema() {
      assertNotNested('schema');
      return readPostgresSchema(pool, postgresMigrations);
    },
    async size() {
      const sql = 'select pg_database_size(current_database()) as size';
      const { rows } = await query<{ size: number }>(pool, sql);
      return rows[0]?.size ?? 0;
    },
    async snapshot(file, onRowsCopied) {
      assertNotNested('snapshot');
      assertOpen();
      return track(
        inTransaction(pool, [READ_TRANSACTION, NO_TIMEOUTS], (client) =>
          exportDatabase(client, file, onRowsCopied),
        ),
        reads,
      );
    },
    deleteOldSnapshots() {},
    hasSnapshots: () => false,
    async truncateWriteAheadLog() {
      assertNotNested('truncateWriteAheadLog');
      return true;
    },
    // Versions that left deleted texts in free pages did not run on PostgreSQL.
    async rewrite() {
      assertNotNested('rewrite');
    },
  };
}

/**
 * Repeats an operation as long as `canRepeat` returns true for its error, a limited number of
 * times.
 */
async function withRetries<T>(
  operation: () => Promise<T>,
  canRepeat: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!canRepeat(error) || attempt >= ATTEMPTS_MAX) throw error;
    }
    await sleep(Math.random() * RETRY_DELAY * attempt);
  }
}

/**
 * Runs work between the statements that begin a transaction and its commit, or its rollback if the
 * work returns a {@link Rollback} or rejects. Calls `onUncertain` if the commit may have succeeded
 * although its response was lost.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: readonly (string | pg.QueryConfig)[],
  work: (client: pg.ClientBase) => Promise<T>,
  onUncertain?: () => void,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toPostgresError(error);
  });
  let isIntact = false;
  // Not awaited: the first query of the work follows immediately.
  const begun = Promise.all(begin.map((statement) => query(client, statement)));
  begun.catch(() => undefined);
  try {
    const result = await work(client);
    await begun;
    const isRolledBack = result instanceof Rollback;
    const { command } = await query(client, isRolledBack ? 'rollback' : 'commit').catch(
      (error: unknown) => {
        if (!isRolledBack && !isRejected(error)) onUncertain?.();
        throw error;
      },
    );
    isIntact = true;
    // PostgreSQL rolls back if a query has failed, even if the work ignored the failure.
    if (!isRolledBack && command !== 'COMMIT')
      throw new Error('the failure of a query was ignored');
    return result;
  } catch (error) {
    isIntact ||= await query(client, 'rollback').then(
      () => true,
      () => false,
    );
    // If the transaction did not begin, the work failed only for that reason.
    await begun;
    throw error;
  } finally {
    // A connection that may still be in a transaction is closed.
    client.release(!isIntact);
  }
}
