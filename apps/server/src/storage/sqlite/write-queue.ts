import type SQLite from 'better-sqlite3';
import type { DatabaseConnection, QueryExecutor } from 'kysely';
import type { DomainEvent } from '../../events.ts';
import { runInside } from '../door.ts';
import { Undone, type WriteContext } from '../storage.ts';

/** The one place through which the database is written. */
export interface WriteQueue {
  write<T>(work: (context: WriteContext) => Promise<T | Undone<T>>): Promise<T>;
  /** Runs a task on the connection between two transactions. */
  between<T>(task: () => T): Promise<T>;
  /** Number of writes that wait for their commit. */
  readonly depth: number;
  /** Resolves when nothing is waiting. */
  idle(): Promise<void>;
}

/** What the queue works on, and whom it informs. */
export interface WriteQueueOptions {
  readonly sqlite: SQLite.Database;
  readonly connection: DatabaseConnection;
  readonly executor: QueryExecutor;
  /** Called after each commit with the number of its writes and its duration. */
  readonly onCommitted: (writes: number, seconds: number) => void;
  readonly publish: (event: DomainEvent) => void;
}

interface Job {
  /** Does the work; returns the outcome if it succeeded. */
  readonly run: () => Promise<Outcome>;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly isUndone: boolean;
  readonly events: readonly DomainEvent[];
  /** Resolves or rejects the promise of the caller. */
  readonly settle: () => void;
}

/** Bounds how long one transaction blocks the event loop. */
const MAX_BATCH = 256;

/**
 * Gathers the writes that arrive in one turn of the event loop into one transaction, each in a savepoint
 * of its own, so that they share the cost of one flush.
 */
export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { sqlite, connection, executor, onCommitted, publish } = options;
  const begin = sqlite.prepare('begin immediate');
  const commit = sqlite.prepare('commit');
  const rollback = sqlite.prepare('rollback');
  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const rollbackToSavepoint = sqlite.prepare('rollback to job');

  let waiting: Job[] = [];
  let tasks: (() => void)[] = [];
  let running = 0;
  let isScheduled = false;
  let idleWaiters: (() => void)[] = [];

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void drain());
  }

  async function drain() {
    while (waiting.length > 0 || tasks.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      running = batch.length;
      if (batch.length > 0) await commitBatch(batch);
      running = 0;
      const between = tasks;
      tasks = [];
      for (const task of between) task();
      // Lets requests that arrived meanwhile be read, and so join the next batch.
      await new Promise((resolve) => setImmediate(resolve));
    }
    isScheduled = false;
    for (const resolve of idleWaiters) resolve();
    idleWaiters = [];
  }

  /** Never rejects: whatever goes wrong rejects the writes of the batch. */
  async function commitBatch(batch: readonly Job[]) {
    const outcomes: Outcome[] = [];
    const startedAt = performance.now();
    try {
      begin.run();
      for (const job of batch) outcomes.push(await runJob(job));
      commit.run();
    } catch (error) {
      // Nothing of the batch was committed: a full disk, for one, ends the whole transaction.
      if (sqlite.inTransaction) rollback.run();
      for (const job of batch) job.reject(error);
      return;
    }
    onCommitted(batch.length, (performance.now() - startedAt) / 1000);
    for (const { events, settle } of outcomes) {
      for (const event of events) publish(event);
      settle();
    }
  }

  /** @throws what ended the transaction, if SQLite ended it by itself. */
  async function runJob(job: Job): Promise<Outcome> {
    savepoint.run();
    let outcome: Outcome;
    try {
      outcome = await job.run();
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      outcome = { isUndone: true, events: [], settle: () => job.reject(error) };
    }
    if (outcome.isUndone) rollbackToSavepoint.run();
    release.run();
    return outcome;
  }

  return {
    write: <T>(work: (context: WriteContext) => Promise<T | Undone<T>>) =>
      new Promise<T>((resolve, reject) => {
        const run = async (): Promise<Outcome> => {
          const events: DomainEvent[] = [];
          const result = await runInside('write', executor, connection, (trx, assertOpen) => {
            const emit = (event: DomainEvent) => {
              assertOpen();
              events.push(event);
            };
            return work({ trx, emit });
          });
          return result instanceof Undone
            ? { isUndone: true, events: [], settle: () => resolve(result.value) }
            : { isUndone: false, events, settle: () => resolve(result) };
        };
        waiting.push({ run, reject });
        schedule();
      }),
    between: <T>(task: () => T) =>
      new Promise<T>((resolve, reject) => {
        tasks.push(() => {
          try {
            resolve(task());
          } catch (error) {
            reject(error);
          }
        });
        schedule();
      }),
    get depth() {
      return waiting.length + running;
    },
    idle: () =>
      isScheduled ? new Promise((resolve) => idleWaiters.push(resolve)) : Promise.resolve(),
  };
}
