import { expect, test } from 'vitest';
import { createAccountQueue } from './account-queue.ts';

const limits = {
  concurrency: 3,
  maxWaiting: 100,
  perAccount: { concurrency: 2, maxWaiting: 3 },
  createFullError: () => new Error('full'),
};

/** Creates a queue whose jobs are ended by hand. */
function createTestQueue() {
  const queue = createAccountQueue(limits);
  const running: { name: string; end: () => void }[] = [];
  const run = (network: string, userId: string) =>
    queue.run(network, userId, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ name: userId, end: resolve });
      return promise;
    });
  const names = () => running.map(({ name }) => name);
  async function endFirst(name: string) {
    const i = names().indexOf(name);
    running.splice(i, 1)[0]?.end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { run, names, endFirst };
}

test('an account has at most two jobs at once, and others are not kept waiting by it', async () => {
  const { run, names, endFirst } = createTestQueue();
  const jobs = Array.from({ length: 4 }, () => run('network', 'flood'));
  expect(names()).toEqual(['flood', 'flood']);
  jobs.push(run('network', 'me'));
  expect(names()).toEqual(['flood', 'flood', 'me']);
  await endFirst('flood');
  expect(names()).toEqual(['flood', 'me', 'flood']);
  for (const name of ['flood', 'flood', 'flood', 'me']) await endFirst(name);
  await Promise.all(jobs);
  expect(names()).toEqual([]);
});

test('rejects a job of an account that has too many waiting, and none of another one', async () => {
  const { run, names, endFirst } = createTestQueue();
  const jobs = Array.from({ length: 5 }, () => run('network', 'flood'));
  await expect(run('network', 'flood')).rejects.toThrow('full');
  const other = run('network', 'me');
  while (names().length > 0) await endFirst(names()[0] ?? '');
  await Promise.all([...jobs, other]);
});

test('networks take turns', async () => {
  const { run, names, endFirst } = createTestQueue();
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((userId) => run('crowd', userId));
  jobs.push(run('elsewhere', 'me'));
  expect(names()).toEqual(['a', 'b', 'c']);
  await endFirst('a');
  await endFirst('b');
  expect(names()).toContain('me');
  while (names().length > 0) await endFirst(names()[0] ?? '');
  await Promise.all(jobs);
});
