/** Runs a bounded number of jobs at once, taking turns between those whom they are for. */
export interface FairQueue {
  /**
   * Runs a job for an owner, now or when it is the owner's turn.
   * @throws the error of `createFullError`, if too many jobs wait.
   */
  run<T>(owner: string, job: () => Promise<T>): Promise<T>;
}

interface WaitingJob {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Bounds of a queue. */
export interface FairQueueOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** Makes the error for a job that finds no place, or loses it. */
  readonly createFullError: () => Error;
}

/**
 * Creates a queue in which each owner waits only for one job of every other. Once it is full, a new
 * job takes the place of the newest of the owner with the most.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  createFullError,
}: FairQueueOptions): FairQueue {
  // In the order of turns: an owner who had a turn moves to the end.
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

  function makeRoom(owner: string): boolean {
    if (waiting < maxWaiting) return true;
    let [longest, most] = ['', owners.get(owner)?.length ?? 0];
    for (const [other, { length }] of owners) {
      if (length > most + 1) [longest, most] = [other, length];
    }
    const displaced = owners.get(longest)?.pop();
    if (displaced === undefined) return false;
    waiting -= 1;
    displaced.refuse();
    return true;
  }

  function wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!makeRoom(owner)) return reject(createFullError());
      const jobs = owners.get(owner) ?? [];
      jobs.push({ start: resolve, refuse: () => reject(createFullError()) });
      owners.set(owner, jobs);
      waiting += 1;
    });
  }

  return {
    async run(owner, job) {
      if (running < concurrency) running += 1;
      // Whoever finishes hands the place over.
      else await wait(owner);
      try {
        return await job();
      } finally {
        startNext();
      }
    },
  };
}
