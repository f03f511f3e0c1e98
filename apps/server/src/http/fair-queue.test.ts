import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const options = { concurrency: 2, maxWaiting: 100, createFullError: () => new Error('full') };

/** Jobs that note whose they were in the order in which they started. */
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

test('lets each owner wait only for one job of every other', async () => {
  const { started, run } = recorder(createFairQueue(options));
  const flood = Array.from({ length: 50 }, () => run('flood'));
  expect(await run('me')).toBe('me');
  // Two were running, and one had its turn before.
  expect(started.indexOf('me')).toBeLessThanOrEqual(3);
  await Promise.all(flood);
  expect(started).toHaveLength(51);
});

test('runs no more at once than it may, and goes on after a failure', async () => {
  const queue = createFairQueue(options);
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 20 }, (_, i) =>
    queue.run(String(i % 3), async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (i % 2 === 0) throw new Error('failed');
    }),
  );
  const results = await Promise.allSettled(jobs);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(most).toBe(2);
  expect(await queue.run('a', async () => 1)).toBe(1);
});

test('has the owner with the most make room for another once it is full', async () => {
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
