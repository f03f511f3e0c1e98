import type pg from 'pg';
import type { DomainEvent } from '../../domain-events.ts';
import { takeTurn } from '../../scheduling/time-slices.ts';
import { assertNotNested, runInScope } from '../scope.ts';
import { Rollback, type Storage, type WriteContext } from '../storage.ts';
import type { PendingWork } from './pending-work.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { createPostgresExecutor } from './postgres-dialect.ts';
import { isPostgresUniqueViolation, isRetryable, toPostgresError } from './postgres-errors.ts';
import {
  inTransaction,
  READ_TRANSACTION,
  SHARED_WRITE_TRANSACTION,
  withRetries,
  WRITE_TRANSACTION,
} from './transaction.ts';

/** Callbacks of a storage on PostgreSQL. */
export interface CommitObserver {
  /** Called with the events of each write before its commit, on its connection. */
  readonly beforeCommit?: (client: pg.ClientBase, events: readonly DomainEvent[]) => Promise<void>;
  /** Called after each commit with its events and its duration in seconds. Must not throw. */
  readonly onCommitted?: (events: readonly DomainEvent[], seconds: number) => void;
  /**
   * Called when the connection is lost during the commit of a write, which may have succeeded. Must
   * not throw.
   */
  readonly onUncertain?: () => void;
  /** Returns whether events of other processes are received. */
  readonly isListening?: () => boolean;
}

/** The connections of a storage. */
export interface Pools {
  readonly pool: pg.Pool;
  /** For writes that run one at a time. */
  readonly exclusivePool: pg.Pool;
}

/** Creates the storage of a migrated database. */
export function createPostgresStorage(
  { pool, exclusivePool }: Pools,
  pending: PendingWork,
  observer: CommitObserver,
): Storage {
  const executor = createPostgresExecutor();

  /** Runs a write once. Publishes its events after the commit. */
  async function writeOnce<T>(
    work: (context: WriteContext) => Promise<T | Rollback<T>>,
    isConcurrent: boolean,
  ): Promise<T> {
    const startedAt = performance.now();
    const events: DomainEvent[] = [];
    const result = await inTransaction(
      isConcurrent ? pool : exclusivePool,
      isConcurrent ? SHARED_WRITE_TRANSACTION : WRITE_TRANSACTION,
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
    observer.onCommitted?.(events, (performance.now() - startedAt) / 1000);
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
      assertNotNested('storage.read');
      const readOnce = () =>
        inTransaction(pool, [READ_TRANSACTION], (client) =>
          runInScope('read', executor, new PostgresConnection(client), work),
        );
      const result = await pending.run('other', () => withRetries(readOnce, isRetryable));
      // Many results can arrive in the same turn of the event loop.
      await takeTurn();
      return result;
    },
    async write(work, { isConcurrent = false } = {}) {
      assertNotNested('storage.write');
      return pending.run('write', () => write(work, isConcurrent));
    },
  };
}
