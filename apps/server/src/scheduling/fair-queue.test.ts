import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const options = { concurrency: 2, maxWaiting: 100, createFullError: () => new Error('full') };

/** Creates jobs that record their owner when they start. */
function recorder(queue: ReturnType<typeof createFairQueue>) {
  const started: string[] = [];
  const run = (owner: string) =>
    queue.run(owner.split('/'), async () => {
      started.push(owner);
      await new Promise((resolve) => setImmediate(resolve));
      return owner;
    });
  return { started, run };
}

test('makes each owner wait for at most one job of every other owner', async () => {
  const { started, run } = recorder(createFairQueue(options));
  const flood = Array.from({ length: 50 }, () => run('flood'));
  expect(await run('me')).toBe('me');
  // At most two running jobs and one more job of the other owner start before this one.
  expect(started.indexOf('me')).toBeLessThanOrEqual(3);
  await Promise.all(flood);
  expect(started).toHaveLength(51);
});

test('respects the concurrency limit and continues after a failed job', async () => {
  const queue = createFairQueue(options);
  let running = 0;
  let maxRunning = 0;
  const jobs = Array.from({ length: 20 }, (_, i) =>
    queue.run([String(i % 3)], async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (i % 2 === 0) throw new Error('failed');
    }),
  );
  const results = await Promise.allSettled(jobs);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(maxRunning).toBe(2);
  expect(await queue.run(['a'], async () => 1)).toBe(1);
});

test('displaces a job of the owner with the most waiting jobs once it is full', async () => {
  const { run } = recorder(createFairQueue({ ...options, maxWaiting: 10 }));
  const flood = Array.from({ length: 30 }, () => run('flood'));
  const mine = run('me');
  const results = await Promise.allSettled(flood);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2 + 9);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: 'full' },
  });
  expect(await mine).toBe('me');
});

test('lets groups take turns, however many owners they have', async () => {
  const { started, run } = recorder(createFairQueue({ ...options, concurrency: 1 }));
  const flood = Array.from({ length: 40 }, (_, i) => run(`network/account ${i}`));
  await run('elsewhere/me');
  // A running job and one more of the other network start before this one.
  expect(started.indexOf('elsewhere/me')).toBeLessThanOrEqual(2);
  await Promise.all(flood);
  expect(started).toHaveLength(41);
});

test('displaces a job of the largest group, or of the largest owner in the same group', async () => {
  const { run } = recorder(createFairQueue({ ...options, concurrency: 1, maxWaiting: 12 }));
  const running = run('network/first');
  const greedy = Array.from({ length: 6 }, () => run('network/greedy'));
  const others = Array.from({ length: 6 }, (_, i) => run(`network/other ${i}`));
  const elsewhere = run('elsewhere/me');
  const sameNetwork = run('network/me');
  const isRejected = ({ status }: PromiseSettledResult<string>) => status === 'rejected';
  const [ofGreedy, ofOthers] = [await Promise.allSettled(greedy), await Promise.allSettled(others)];
  expect(ofGreedy.map(isRejected)).toEqual([false, false, false, false, true, true]);
  expect(ofOthers.some(isRejected)).toBe(false);
  expect(await Promise.all([running, elsewhere, sameNetwork])).toHaveLength(3);
});
