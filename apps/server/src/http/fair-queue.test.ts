import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const options = { concurrency: 2, maxWaiting: 100, createFullError: () => new Error('full') };

/** Creates jobs that record their owner when they start. */
function recorder(queue: ReturnType<typeof createFairQueue>) {
  const started: string[] = [];
  const run = (owner: string) =>
    queue.run(owner, async () => {
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
    queue.run(String(i % 3), async () => {
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
  expect(await queue.run('a', async () => 1)).toBe(1);
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
