import { assertNotNested } from '../scope.ts';

/** What is in progress on a database, for which closing it waits. */
export interface PendingWork {
  /**
   * Runs an operation.
   * @throws an error once the database is closed or must not be used any more.
   */
  run<T>(kind: 'write' | 'other', operation: () => Promise<T>): Promise<T>;
  /** Number of writes in progress or waiting. */
  readonly writes: number;
  /**
   * Accepts no more operations, waits for those in progress, and then calls `end`. Does nothing if it
   * was called before.
   */
  close(end: () => Promise<unknown>): Promise<void>;
}

/** Starts without any work. Once `refused` is aborted, operations reject with its reason. */
export function createPendingWork(refused?: AbortSignal): PendingWork {
  const pending = { write: new Set<Promise<unknown>>(), other: new Set<Promise<unknown>>() };
  let isClosed = false;

  return {
    async run(kind, operation) {
      if (isClosed) throw new Error('the storage is closed');
      refused?.throwIfAborted();
      const work = operation();
      pending[kind].add(work);
      try {
        return await work;
      } finally {
        pending[kind].delete(work);
      }
    },
    get writes() {
      return pending.write.size;
    },
    async close(end) {
      assertNotNested('database.close');
      if (isClosed) return;
      isClosed = true;
      const { write, other } = pending;
      while (write.size + other.size > 0) await Promise.allSettled([...write, ...other]);
      await end();
    },
  };
}
