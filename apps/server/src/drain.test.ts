import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrain } from './drain.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the milliseconds that a drain takes. */
async function measure(drain: ReturnType<typeof createDrain>): Promise<number> {
  const startedAt = performance.now();
  const started = drain.start();
  expect(drain.hasStarted).toBe(true);
  await vi.runAllTimersAsync();
  await started;
  return performance.now() - startedAt;
}

test('takes no time if there is no other server', async () => {
  const drain = createDrain(false);
  drain.recordCheck();
  expect(await measure(drain)).toBe(0);
});

test('takes no time if no load balancer asks whether the server is ready', async () => {
  expect(await measure(createDrain(true))).toBe(0);
  const drain = createDrain(true);
  drain.recordCheck();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await measure(drain)).toBe(0);
});

test('waits for the next check of a load balancer', async () => {
  const drain = createDrain(true);
  expect(drain.hasStarted).toBe(false);
  drain.recordCheck();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await measure(drain)).toBe(3_000);
});
