import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runInTurn, takeTurn } from './time-slices.ts';

/** Milliseconds that the jobs have taken. */
let now: number;
beforeEach(async () => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  await nextTurn();
});
afterEach(() => vi.restoreAllMocks());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Starts jobs that take `duration` each, and returns the names of those that have ended. */
function startJobs(names: string, duration: number): string[] {
  const ended: string[] = [];
  for (const name of names) {
    runInTurn(() => {
      void (async () => {
        // What follows without waiting belongs to the job.
        await Promise.resolve();
        await Promise.resolve();
        now += duration;
        ended.push(name);
      })();
    });
  }
  return ended;
}

test('starts jobs at once while there is time', async () => {
  const ended = startJobs('abc', 1);
  await Promise.resolve().then(() => Promise.resolve());
  expect(ended).toEqual(['a', 'b', 'c']);
});

test('continues in the next turn of the event loop once the time is used up, in order', async () => {
  now = 0;
  runInTurn(() => (now += 10));
  const ended = startJobs('abcdef', 3);
  expect(ended).toEqual([]);
  await nextTurn();
  // The second one begins within the time.
  expect(ended).toEqual(['a', 'b']);
  const later = startJobs('g', 3);
  await nextTurn();
  expect(ended).toEqual(['a', 'b', 'c', 'd']);
  await nextTurn();
  expect([ended, later]).toEqual([['a', 'b', 'c', 'd', 'e', 'f'], []]);
  await nextTurn();
  expect(later).toEqual(['g']);
});

test('a job that takes many turns lets others pass', async () => {
  const ended: string[] = [];
  const work = async (name: string, turns: number) => {
    for (let i = 0; i < turns; i += 1) {
      await takeTurn();
      now += 10;
    }
    ended.push(name);
  };
  await Promise.all([work('long', 20), work('short', 2)]);
  expect(ended).toEqual(['short', 'long']);
});

test('a job that throws does not stop those after it', async () => {
  const onError = vi.fn<(error: Error) => void>();
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', onError);
  try {
    runInTurn(() => (now += 10));
    runInTurn(() => {
      throw new Error('failed');
    });
    const ended = startJobs('a', 1);
    await nextTurn();
    await nextTurn();
    expect(ended).toEqual(['a']);
    expect(onError).toHaveBeenCalledOnce();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});

test('a job that has waited continues without waiting again while there is time', async () => {
  const ended: string[] = [];
  const continued = (name: string, duration: number) => () => {
    now += duration;
    runInTurn(() => ended.push(name));
  };
  runInTurn(() => (now += 10));
  runInTurn(continued('a', 1));
  runInTurn(continued('b', 10));
  runInTurn(() => ended.push('c'));
  await nextTurn();
  expect(ended).toEqual(['a']);
  await nextTurn();
  expect(ended).toEqual(['a', 'c', 'b']);
});

test('each job has the async context in which it was requested', async () => {
  const context = new AsyncLocalStorage<string>();
  const found: (string | undefined)[] = [];
  runInTurn(() => (now += 10));
  context.run('first', () => runInTurn(() => found.push(context.getStore())));
  context.run('second', () => runInTurn(() => found.push(context.getStore())));
  runInTurn(() => found.push(context.getStore()));
  await nextTurn();
  expect(found).toEqual(['first', 'second', undefined]);
});
