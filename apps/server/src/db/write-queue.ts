import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { DomainEvent, EventBus } from '../events.ts';
import type { Database } from './database.ts';

/** The transaction that a write works in, and where it says what happened. */
export interface Unit {
  readonly trx: Transaction<Database>;
  /** To be published once this write is committed; dropped if it is not. */
  readonly emit: (event: DomainEvent) => void;
}

/** The one place through which the database is written. */
export interface WriteQueue {
  /**
   * Runs a write. Resolves after it is committed and flushed to disk and its events are published;
   * rejects with what `job` threw, undone, or with the database's error.
   */
  write<T>(job: (unit: Unit) => Promise<T>): Promise<T>;
  /** Writes that wait for their commit. */
  readonly depth: number;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

interface Job {
  /** Does the work; returns what tells the caller once it is committed. */
  readonly run: (unit: Unit) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly settle: () => void;
  readonly events: readonly DomainEvent[];
}

/** Bounds how long one transaction keeps readers waiting. */
const MAX_BATCH = 256;

const SAVEPOINT = CompiledQuery.raw('savepoint job');
const RELEASE = CompiledQuery.raw('release job');
const ROLLBACK = CompiledQuery.raw('rollback to job');

/**
 * Gathers the writes that arrive in one turn of the event loop into one transaction, each in its own
 * savepoint, so that they share the cost of one flush. `onFlushed` hears of each transaction.
 */
export function createWriteQueue(
  db: Kysely<Database>,
  events: EventBus,
  onFlushed: (writes: number, seconds: number) => void = () => undefined,
): WriteQueue {
  let waiting: Job[] = [];
  let running = 0;
  let scheduled = false;
  let idleWaiters: (() => void)[] = [];

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => void drain());
  }

  async function drain() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      running = batch.length;
      await commit(batch);
      running = 0;
      // Lets requests that came in meanwhile be read, and so join the next batch.
      await new Promise((resolve) => setImmediate(resolve));
    }
    scheduled = false;
    for (const resolve of idleWaiters) resolve();
    idleWaiters = [];
  }

  async function commit(batch: Job[]) {
    const outcomes: Outcome[] = [];
    const begun = performance.now();
    try {
      await db.transaction().execute(async (trx) => {
        for (const job of batch) outcomes.push(await runJob(job, trx));
      });
    } catch (error) {
      // Nothing of the batch was committed: a full disk, for one, undoes the whole transaction.
      for (const job of batch) job.reject(error);
      return;
    }
    onFlushed(batch.length, (performance.now() - begun) / 1000);
    for (const outcome of outcomes) {
      for (const event of outcome.events) events.publish(event);
      outcome.settle();
    }
  }

  async function runJob(job: Job, trx: Transaction<Database>): Promise<Outcome> {
    const happened: DomainEvent[] = [];
    await trx.executeQuery(SAVEPOINT);
    try {
      const settle = await job.run({ trx, emit: (event) => happened.push(event) });
      await trx.executeQuery(RELEASE);
      return { events: happened, settle };
    } catch (error) {
      // Fails if SQLite has already ended the transaction by itself; then the whole batch fails.
      await trx.executeQuery(ROLLBACK).catch(() => Promise.reject(error));
      await trx.executeQuery(RELEASE);
      return { events: [], settle: () => job.reject(error) };
    }
  }

  return {
    write: <T>(job: (unit: Unit) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const run = async (unit: Unit) => {
          const value = await job(unit);
          return () => resolve(value);
        };
        waiting.push({ run, reject });
        schedule();
      }),
    get depth() {
      return waiting.length + running;
    },
    idle: () =>
      scheduled ? new Promise((resolve) => idleWaiters.push(resolve)) : Promise.resolve(),
  };
}
