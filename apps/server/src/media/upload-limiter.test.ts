import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadLimiter, type UploadLimiter } from './upload-limiter.ts';

const LIMITS = { maxPerUser: 2, maxPerNetwork: 3, maxWaiting: 2, waitMax: 1_000, maxTotal: 5 };

let limiter: UploadLimiter;
beforeEach(() => {
  limiter = createUploadLimiter(LIMITS);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts an upload that runs until it is finished or ended. */
function start(network: string, userId: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = vi.fn<() => void>();
  const outcome = limiter
    .run({ network, userId }, async (signal) => {
      started();
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      return Promise.race([promise, aborted]);
    })
    .catch((error: { code: string }) => error.code);
  return { finish: () => resolve('finished'), started, outcome };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('rejects more uploads of a user than allowed, also if some of them wait', async () => {
  start('a', 'anna');
  start('a', 'anna');
  expect(await start('b', 'anna').outcome).toBe('rate_limited');
  start('a', 'bert');
  start('a', 'bert');
  expect(await start('a', 'bert').outcome).toBe('rate_limited');
});

test('lets the uploads of a network wait for each other, in their order', async () => {
  const running = ['anna', 'anna', 'bert'].map((user) => start('a', user));
  const [first, second] = [start('a', 'bert'), start('a', 'carl')];
  expect(await start('a', 'carl').outcome).toBe('unavailable');
  await turn();
  expect(first.started).not.toHaveBeenCalled();
  running[0]?.finish();
  expect(await running[0]?.outcome).toBe('finished');
  await turn();
  expect(first.started).toHaveBeenCalled();
  expect(second.started).not.toHaveBeenCalled();
  first.finish();
  await first.outcome;
  await turn();
  expect(second.started).toHaveBeenCalled();
});

test('rejects an upload that has waited too long, without blocking others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const running = ['anna', 'anna', 'bert'].map((user) => start('a', user));
  const waiting = start('a', 'bert');
  await vi.advanceTimersByTimeAsync(LIMITS.waitMax);
  vi.useRealTimers();
  expect(await waiting.outcome).toBe('unavailable');
  running[0]?.finish();
  await running[0]?.outcome;
  const next = start('a', 'carl');
  await turn();
  expect(next.started).toHaveBeenCalled();
});

test('ends the newest upload of the network that has most for one that has fewer', async () => {
  const many = ['anna', 'bert', 'anna'].map((user) => start('a', user));
  const others = ['carl', 'dora'].map((user) => start('b', user));
  await turn();
  const single = start('c', 'emil');
  expect(await many[2]?.outcome).toBe('unavailable');
  await turn();
  expect(single.started).toHaveBeenCalled();

  // Now each network has at most one more than a new one would have.
  expect(await start('c', 'fred').outcome).toBe('unavailable');
  expect(await start('b', 'gina').outcome).toBe('unavailable');
  for (const each of [...many.slice(0, 2), ...others, single]) each.finish();
  const outcomes = [...many.slice(0, 2), ...others, single].map(({ outcome }) => outcome);
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['finished']));
});
