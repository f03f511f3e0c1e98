/** Runs a limited number of jobs concurrently, with owners taking turns. */
export interface FairQueue {
  /**
   * Runs a job for an owner, immediately or when it is the owner's turn.
   * @throws the error of `createFullError` if the queue is full or another job displaces this one.
   */
  run<T>(owner: string, job: () => Promise<T>): Promise<T>;
}

interface WaitingJob {
  readonly start: () => void;
  readonly reject: () => void;
}

/** Limits of a queue. */
export interface FairQueueOptions {
  /** Maximum number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Maximum number of waiting jobs of all owners. */
  readonly maxWaiting: number;
  /** Creates the error for a job that is rejected because the queue is full. */
  readonly createFullError: () => Error;
}

/**
 * Creates a queue in which owners take turns: before an owner's next job starts, every other owner
 * starts at most one. Once the queue is full, a new job displaces the newest job of an owner who
 * has at least two more waiting jobs than the owner of the new job. The new job is rejected if there
 * is no such owner.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  createFullError,
}: FairQueueOptions): FairQueue {
  // The waiting jobs by owner, in the order of turns: after starting a job, an owner moves to the
  // end.
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

  /** Makes space for a job of `owner`. Returns whether there is space. */
  function makeSpace(owner: string): boolean {
    if (waiting < maxWaiting) return true;
    let [candidate, count] = ['', owners.get(owner)?.length ?? 0];
    for (const [other, { length }] of owners) {
      if (length > count + 1) [candidate, count] = [other, length];
    }
    const displaced = owners.get(candidate)?.pop();
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
      // `startNext` passes on the slot of a finished job, so a job that waited is not counted again.
      else await wait(owner);
      try {
        return await job();
      } finally {
        startNext();
      }
    },
  };
}
