import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadLimiter, type UploadLimiter } from './upload-limiter.ts';

const LIMITS = {
  maxPerUser: 2,
  maxPerNetwork: 3,
  maxWaiting: 2,
  patience: 10,
  waitMax: 60_000,
  maxTotal: 5,
  reserved: 0,
};

let limiter: UploadLimiter;
beforeEach(() => {
  limiter = createUploadLimiter(LIMITS);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts an upload that runs until it is finished or ended. */
function start(network: string, userId: string, closed = new AbortController().signal) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = vi.fn<() => void>();
  const outcome = limiter
    .run({ network, userId }, closed, async ({ signal }) => {
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
const untilStarted = ({ started }: ReturnType<typeof start>) =>
  vi.waitFor(() => expect(started).toHaveBeenCalled());

test('rejects more uploads of a user than allowed, also if some of them wait', async () => {
  start('a', 'anna');
  start('a', 'anna');
  expect(await start('b', 'anna').outcome).toBe('rate_limited');
  start('a', 'bert');
  start('a', 'bert');
  expect(await start('a', 'bert').outcome).toBe('rate_limited');
});

test('lets the uploads of a network wait for each other, fewest of a user first', async () => {
  const running = ['anna', 'anna', 'bert'].map((user) => start('a', user));
  const [first, second] = [start('a', 'bert'), start('a', 'carl')];
  expect(await start('a', 'dora').outcome).toBe('unavailable');
  await turn();
  expect(second.started).not.toHaveBeenCalled();
  running[0]?.finish();
  await untilStarted(second);
  expect(first.started).not.toHaveBeenCalled();
  running[1]?.finish();
  await untilStarted(first);
});

test('ends the newest upload of the user who has most in a network that has too many', async () => {
  const running = ['anna', 'bert', 'anna'].map((user) => start('a', user));
  const waiting = start('a', 'carl');
  expect(await running[2]?.outcome).toBe('unavailable');
  await untilStarted(waiting);
});

test('rejects an upload that has waited too long, without blocking others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const running = ['anna', 'bert', 'carl'].map((user) => start('a', user));
  const waiting = start('a', 'dora');
  await vi.advanceTimersByTimeAsync(LIMITS.waitMax);
  vi.useRealTimers();
  expect(await waiting.outcome).toBe('unavailable');
  const next = start('a', 'dora');
  running[0]?.finish();
  await untilStarted(next);
});

test('forgets an upload whose client leaves while it waits', async () => {
  const running = ['anna', 'bert', 'carl'].map((user) => start('a', user));
  const closed = new AbortController();
  const waiting = start('a', 'dora', closed.signal);
  closed.abort(Object.assign(new Error('left'), { code: 'left' }));
  expect(await waiting.outcome).toBe('left');
  const next = start('a', 'dora');
  running[0]?.finish();
  await untilStarted(next);
  expect(waiting.started).not.toHaveBeenCalled();
});

test('ends the newest upload of the network that has most for one that has fewer', async () => {
  const many = ['anna', 'bert', 'anna'].map((user) => start('a', user));
  const others = ['carl', 'dora'].map((user) => start('b', user));
  const single = start('c', 'emil');
  expect(await many[2]?.outcome).toBe('unavailable');
  await untilStarted(single);
  const left = [...many.slice(0, 2), ...others, single];
  for (const each of left) each.finish();
  const outcomes = await Promise.all(left.map(({ outcome }) => outcome));
  expect(new Set(outcomes)).toEqual(new Set(['finished']));
});

test('starts an upload of a network without one at once, and of the others that of the network with the fewest', async () => {
  limiter = createUploadLimiter({ ...LIMITS, reserved: 1 });
  const many = ['anna', 'anna', 'bert'].map((user) => start('a', user));
  const others = ['carl', 'dora'].map((user) => start('b', user));
  const single = start('c', 'emil');
  await untilStarted(single);
  const waiting = [start('a', 'fred'), start('d', 'gina'), start('b', 'hugo')] as const;
  await turn();
  for (const { started } of waiting) expect(started).not.toHaveBeenCalled();
  many[2]?.finish();
  await untilStarted(waiting[1]);
  others[1]?.finish();
  single.finish();
  await untilStarted(waiting[2]);
  expect(waiting[0].started).not.toHaveBeenCalled();
});

test('never runs more than allowed, however many arrive at once', async () => {
  let running = 0;
  let most = 0;
  const run = (network: string, userId: string, job: (signal: AbortSignal) => Promise<unknown>) =>
    limiter.run({ network, userId }, new AbortController().signal, async ({ signal }) => {
      running += 1;
      most = Math.max(most, running);
      await job(signal);
      running -= 1;
    });
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => setImmediate(resolve));
    });
  for (const user of ['anna', 'anna', 'bert']) void run('a', user, untilAborted);
  for (const user of ['carl', 'dora']) void run('b', user, untilAborted);
  const newcomers = ['c', 'd', 'e', 'f', 'g', 'h', 'i'];
  await Promise.all(newcomers.map((name) => run(name, name, turn)));
  expect(most).toBe(LIMITS.maxTotal);
});

test('does not end an upload that was received', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const closed = new AbortController().signal;
  const others = ['anna', 'bert'].map((user) => start('a', user));
  const kept = limiter.run({ network: 'a', userId: 'anna' }, closed, async (place) => {
    place.keep();
    await promise;
    return place.signal.aborted;
  });
  for (const user of ['carl', 'dora']) start('b', user);
  const single = start('c', 'emil');
  expect(await others[0]?.outcome).toBe('unavailable');
  await untilStarted(single);
  resolve();
  expect(await kept).toBe(false);
});
