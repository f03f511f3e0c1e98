/** Runs a limited number of jobs concurrently, with owners taking turns. */
export interface FairQueue {
  /**
   * Runs a job for an owner, immediately or when it is the owner's turn.
   * @throws the error of `createFullError` if too many jobs are waiting.
   */
  run<T>(owner: string, job: () => Promise<T>): Promise<T>;
}

interface WaitingJob {
  readonly start: () => void;
  readonly reject: () => void;
}

/** Limits of a queue. */
export interface FairQueueOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** Creates the error for a job that is rejected because the queue is full. */
  readonly createFullError: () => Error;
}

/**
 * Creates a queue in which each owner waits for at most one job of every other owner. Once the
 * queue is full, a new job displaces the newest job of the owner with the most waiting jobs.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  createFullError,
}: FairQueueOptions): FairQueue {
  // Ordered by turn: after starting a job, an owner moves to the end.
  const owners = new Map<string, WaitingJob[]>();
  let waiting = 0;
  let running = 0;

  function startNext(): void {
    for (const [owner, jobs] of owners) {
      owners.delete(owner);
      const job = jobs.shift();
      if (jobs.length > 0) owners.set(owner, jobs);
      if (job === undefined) continue;
      waiting -= 1;
      job.start();
      return;
    }
    running -= 1;
  }

  function makeSpace(owner: string): boolean {
    if (waiting < maxWaiting) return true;
    let [longest, most] = ['', owners.get(owner)?.length ?? 0];
    for (const [other, { length }] of owners) {
      if (length > most + 1) [longest, most] = [other, length];
    }
    const displaced = owners.get(longest)?.pop();
    if (displaced === undefined) return false;
    waiting -= 1;
    displaced.reject();
    return true;
  }

  function wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!makeSpace(owner)) return reject(createFullError());
      const jobs = owners.get(owner) ?? [];
      jobs.push({ start: resolve, reject: () => reject(createFullError()) });
      owners.set(owner, jobs);
      waiting += 1;
    });
  }

  return {
    async run(owner, job) {
      if (running < concurrency) running += 1;
      // A finished job passes its slot to the next one.
      else await wait(owner);
      try {
        return await job();
      } finally {
        startNext();
      }
    },
  };
}
