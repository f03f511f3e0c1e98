import { createFairQueue, type FairQueue, type FairQueueOptions } from './fair-queue.ts';

/** Runs a limited number of jobs of each account, with networks and accounts taking turns. */
export interface AccountQueue {
  /** @throws the error of `createFullError` if too many jobs of the account, or of all, are waiting. */
  run<T>(network: string, userId: string, job: () => Promise<T>): Promise<T>;
}

/** Limits of all accounts together, and of each. */
export interface AccountQueueOptions extends FairQueueOptions {
  readonly perAccount: Pick<FairQueueOptions, 'concurrency' | 'maxWaiting'>;
}

interface OpenQueue extends FairQueue {
  jobs: number;
}

/** Creates a queue of jobs of accounts. */
export function createAccountQueue({ perAccount, ...all }: AccountQueueOptions): AccountQueue {
  const queue = createFairQueue(all);
  /** The queues of accounts that have jobs. */
  const open = new Map<string, OpenQueue>();

  function openQueue(userId: string): OpenQueue {
    const found = open.get(userId);
    if (found !== undefined) return found;
    const { createFullError } = all;
    const account = { ...createFairQueue({ ...perAccount, createFullError }), jobs: 0 };
    open.set(userId, account);
    return account;
  }

  return {
    async run(network, userId, job) {
      const account = openQueue(userId);
      account.jobs += 1;
      try {
        return await account.run([], () => queue.run([network, userId], job));
      } finally {
        account.jobs -= 1;
        if (account.jobs === 0) open.delete(userId);
      }
    },
  };
}
