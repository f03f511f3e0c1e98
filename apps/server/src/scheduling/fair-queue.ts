/**
 * Who a job belongs to, from the largest group to the smallest, such as a network and then an account in
 * it. Groups take turns, and so do the owners within a group.
 */
export type JobOwner = readonly string[];

/** Runs a limited number of jobs concurrently, with owners taking turns. */
export interface FairQueue {
  /**
   * Runs a job for an owner, immediately or when it is the owner's turn.
   * @throws the error of `createFullError` if the queue is full or another job displaces this one.
   */
  run<T>(owner: JobOwner, job: () => Promise<T>): Promise<T>;
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
 * is no such owner. The same holds for groups of owners.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  createFullError,
}: FairQueueOptions): FairQueue {
  const waiting = new WaitingJobs();
  let running = 0;

  function wait(owner: JobOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      if (waiting.count >= maxWaiting && !waiting.displaceFor(owner)) {
        reject(createFullError());
        return;
      }
      waiting.add(owner, { start: resolve, reject: () => reject(createFullError()) });
    });
  }

  return {
    async run(owner, job) {
      if (running < concurrency) running += 1;
      // A finished job passes on its slot, so a job that waited is not counted again.
      else await wait(owner);
      try {
        return await job();
      } finally {
        const next = waiting.takeNext();
        if (next === undefined) running -= 1;
        else next.start();
      }
    },
  };
}

/** The waiting jobs of a group or an owner. */
class WaitingJobs {
  /** The jobs of an owner, oldest first. */
  readonly #jobs: WaitingJob[] = [];
  /** The members of a group in the order of turns: after starting a job, one moves to the end. */
  readonly #members = new Map<string, WaitingJobs>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add([name, ...rest]: JobOwner, job: WaitingJob): void {
    this.#count += 1;
    if (name === undefined) {
      this.#jobs.push(job);
      return;
    }
    const member = this.#members.get(name) ?? new WaitingJobs();
    this.#members.set(name, member);
    member.add(rest, job);
  }

  /** Removes and returns the job whose turn it is. */
  takeNext(): WaitingJob | undefined {
    const [name, member] = this.#members.entries().next().value ?? [];
    if (name === undefined || member === undefined) return this.#counted(this.#jobs.shift());
    this.#members.delete(name);
    const job = member.takeNext();
    if (member.count > 0) this.#members.set(name, member);
    return this.#counted(job);
  }

  /** Rejects a job to make space for one of this owner. Returns whether there is space now. */
  displaceFor([name = '', ...rest]: JobOwner): boolean {
    const own = this.#members.get(name);
    const [largest, member] = this.#largest((own?.count ?? 0) + 1) ?? [];
    if (largest === undefined || member === undefined) {
      if (own === undefined || !own.displaceFor(rest)) return false;
    } else {
      member.rejectNewest();
      if (member.count === 0) this.#members.delete(largest);
    }
    this.#count -= 1;
    return true;
  }

  /** Rejects the newest job of the member that has the most. */
  rejectNewest(): void {
    this.#count -= 1;
    const [name, member] = this.#largest(0) ?? [];
    if (name === undefined || member === undefined) {
      this.#jobs.pop()?.reject();
      return;
    }
    member.rejectNewest();
    if (member.count === 0) this.#members.delete(name);
  }

  /** Returns the member with the most jobs, if these are more than `atLeast`. */
  #largest(atLeast: number): [string, WaitingJobs] | undefined {
    let found: [string, WaitingJobs] | undefined;
    let most = atLeast;
    for (const entry of this.#members) {
      if (entry[1].count <= most) continue;
      found = entry;
      most = entry[1].count;
    }
    return found;
  }

  #counted(job: WaitingJob | undefined): WaitingJob | undefined {
    if (job !== undefined) this.#count -= 1;
    return job;
  }
}
