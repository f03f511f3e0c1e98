import { setImmediate as nextTurn } from 'node:timers/promises';
import type SQLite from 'better-sqlite3';
import type { DatabaseConnection, QueryExecutor } from 'kysely';
import type { DomainEvent } from '../../domain-events.ts';
import type { DatabaseObserver } from '../database.ts';
import { runInScope } from '../scope.ts';
import { Rollback, type WriteContext } from '../storage.ts';

/** Serializes all writes to the database. */
export interface WriteQueue {
  write<T>(work: (context: WriteContext) => Promise<T | Rollback<T>>): Promise<T>;
  /** Runs a task on the connection between two transactions. */
  runBetweenTransactions<T>(task: () => T): Promise<T>;
  /** Number of writes waiting for their commit. */
  readonly depth: number;
  /** Resolves once no write is waiting. */
  idle(): Promise<void>;
}

/** The connection of the queue and its callbacks. */
export interface WriteQueueOptions {
  readonly sqlite: SQLite.Database;
  readonly connection: DatabaseConnection;
  readonly executor: QueryExecutor;
  /** Called after each commit with the number of its writes, its duration and its events. */
  readonly onCommitted: NonNullable<DatabaseObserver['onCommitted']>;
  readonly publish: (event: DomainEvent) => void;
}

interface Job {
  /** Does the work and returns its outcome if it succeeds. */
  readonly run: () => Promise<Outcome>;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly isRolledBack: boolean;
  readonly events: readonly DomainEvent[];
  /** Settles the promise of the caller. */
  readonly settle: () => void;
}

/** Maximum number of writes per transaction. */
const MAX_BATCH = 256;
/** Milliseconds for which writes run in one turn of the event loop, so that they do not block it for long. */
const SLICE = 5;
/**
 * Number of turns of the event loop in which a transaction takes writes. Commits cost the less per write the fewer
 * they are: the writes of a transaction often change the same pages, and share a flush.
 */
const MAX_TURNS = 4;
/** Number of writes whose events and results are passed on in one turn of the event loop. */
const SETTLED_PER_TURN = 32;

/**
 * Combines the writes that wait into one transaction, with a savepoint for each, so that they share a
 * single flush.
 */
export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { sqlite, onCommitted, publish } = options;
  const transaction = createTransaction(sqlite);

  const waiting: Job[] = [];
  let tasks: (() => void)[] = [];
  /** The writes of the current transaction, until they are settled. */
  let batch: Job[] = [];
  let isScheduled = false;
  let idleResolvers: (() => void)[] = [];

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void drain());
  }

  async function drain() {
    while (waiting.length > 0 || tasks.length > 0) {
      if (waiting.length > 0) await commitBatch();
      const pending = tasks;
      tasks = [];
      for (const task of pending) task();
      // Read the requests that arrived during the batch, so that they join the next one.
      await nextTurn();
    }
    isScheduled = false;
    for (const resolve of idleResolvers) resolve();
    idleResolvers = [];
  }

  /**
   * Returns a function that takes the next write into the batch, unless none waits or the batch is full. Once the
   * slice is used up, it continues in the next turn of the event loop, in which further writes may arrive.
   */
  function startBatch(): () => Promise<Job | undefined> {
    batch = [];
    let turns = 1;
    let sliceStart = performance.now();
    return async () => {
      if (batch.length > 0 && performance.now() - sliceStart > SLICE) {
        if (waiting.length === 0 || turns === MAX_TURNS) return undefined;
        await nextTurn();
        turns += 1;
        sliceStart = performance.now();
      }
      const job = batch.length < MAX_BATCH ? waiting.shift() : undefined;
      if (job !== undefined) batch.push(job);
      return job;
    };
  }

  /** Never rejects: a failure rejects the writes of the batch instead. */
  async function commitBatch() {
    const startedAt = performance.now();
    let outcomes: readonly Outcome[];
    try {
      transaction.begin();
    } catch (error) {
      // All of them, as each attempt may wait for a lock of another process.
      for (const job of waiting.splice(0, MAX_BATCH)) job.reject(error);
      return;
    }
    try {
      outcomes = await transaction.run(startBatch());
    } catch (error) {
      for (const job of batch) job.reject(error);
      batch = [];
      return;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    onCommitted(
      batch.length,
      seconds,
      outcomes.flatMap(({ events }) => events),
    );
    for (const [i, { events, settle }] of outcomes.entries()) {
      if (i > 0 && i % SETTLED_PER_TURN === 0) await nextTurn();
      for (const event of events) publish(event);
      settle();
    }
    batch = [];
  }

  return {
    write: <T>(work: (context: WriteContext) => Promise<T | Rollback<T>>) =>
      new Promise<T>((resolve, reject) => {
        const run = () => runWork(work, options, resolve);
        waiting.push({ run, reject });
        schedule();
      }),
    runBetweenTransactions: <T>(task: () => T) =>
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
      return waiting.length + batch.length;
    },
    idle: () =>
      isScheduled ? new Promise((resolve) => idleResolvers.push(resolve)) : Promise.resolve(),
  };
}

/** A transaction of several jobs. */
interface Transaction {
  begin(): void;
  /**
   * Runs the jobs that `takeNext` returns with a savepoint for each, and commits. It rejects if nothing was
   * committed; a full disk, for example, ends the whole transaction.
   */
  run(takeNext: () => Promise<Job | undefined>): Promise<readonly Outcome[]>;
}

function createTransaction(sqlite: SQLite.Database): Transaction {
  const begin = sqlite.prepare('begin immediate');
  const commit = sqlite.prepare('commit');
  const rollback = sqlite.prepare('rollback');
  const savepoint = sqlite.prepare('savepoint job');
  const release = sqlite.prepare('release job');
  const rollbackToSavepoint = sqlite.prepare('rollback to job');

  /**
   * Runs a job in a savepoint.
   * @throws the error of the job if SQLite ended the whole transaction because of it.
   */
  async function runJob(job: Job): Promise<Outcome> {
    savepoint.run();
    let outcome: Outcome;
    try {
      outcome = await job.run();
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      outcome = { isRolledBack: true, events: [], settle: () => job.reject(error) };
    }
    if (outcome.isRolledBack) rollbackToSavepoint.run();
    release.run();
    return outcome;
  }

  return {
    begin: () => void begin.run(),
    async run(takeNext) {
      const outcomes: Outcome[] = [];
      try {
        for (let job = await takeNext(); job !== undefined; job = await takeNext()) {
          outcomes.push(await runJob(job));
        }
        commit.run();
      } catch (error) {
        if (sqlite.inTransaction) rollback.run();
        throw error;
      }
      return outcomes;
    },
  };
}

/** Does the work of a write and collects its events. */
async function runWork<T>(
  work: (context: WriteContext) => Promise<T | Rollback<T>>,
  { executor, connection }: WriteQueueOptions,
  resolve: (value: T) => void,
): Promise<Outcome> {
  const events: DomainEvent[] = [];
  const result = await runInScope('write', executor, connection, (trx, assertOpen) => {
    const emit = (event: DomainEvent) => {
      assertOpen();
      events.push(event);
    };
    return work({ trx, emit });
  });
  return result instanceof Rollback
    ? { isRolledBack: true, events: [], settle: () => resolve(result.value) }
    : { isRolledBack: false, events, settle: () => resolve(result) };
}
