import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, type ApiClient } from '../api/client.ts';
import { createDeliveryReporter, type DeliveryReporter } from './delivery-reporter.ts';

const call = vi.fn<(name: string, options: { body: unknown }) => Promise<unknown>>();
const api = { call } as unknown as ApiClient;
let readSeq: number;
let reporter: DeliveryReporter;

beforeEach(() => {
  vi.useFakeTimers();
  call.mockReset().mockResolvedValue({ ok: true });
  readSeq = 0;
  reporter = createDeliveryReporter({
    api,
    getReadSeq: () => readSeq,
    timing: { deliveryGather: 250 },
  });
});
afterEach(() => {
  reporter.stop();
  vi.useRealTimers();
});

const sent = () => call.mock.calls.map(([, { body }]) => (body as { rooms: object }).rooms);

test('gathers the newest messages of all chatrooms for one request', async () => {
  reporter.report('a', 1);
  reporter.report('a', 3);
  reporter.report('b', 2);
  reporter.report('a', 2);
  await vi.advanceTimersByTimeAsync(249);
  expect(sent()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([{ a: 3, b: 2 }]);
});

test('reports nothing twice', async () => {
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(250);
  reporter.report('a', 3);
  reporter.report('a', 2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([{ a: 3 }]);
});

test('does not report what was read in the meantime', async () => {
  reporter.report('a', 3);
  readSeq = 3;
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([]);
});

test('reports again after a reconnect what could not be reported', async () => {
  call.mockRejectedValueOnce(new ApiError('offline', 0, 'offline'));
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  reporter.report('b', 1);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([{ a: 3 }, { a: 3, b: 1 }]);
  reporter.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(call).toHaveBeenCalledTimes(2);
});

test('does not retry if the server refuses, as an older one does', async () => {
  call.mockRejectedValueOnce(new ApiError('not_found', 404, 'not found'));
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(250);
  reporter.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(call).toHaveBeenCalledTimes(1);
});

test('reports nothing after it was stopped', async () => {
  reporter.report('a', 3);
  reporter.stop();
  reporter.report('b', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([]);
});
