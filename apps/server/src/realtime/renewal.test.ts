import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnections } from './connections.ts';
import type { LiveSocket } from './live-socket.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import { createRenewal } from './renewal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a registry with connections, and a function that counts the closed ones. */
function createRecorded(size: number) {
  const connections = createConnections(LIVE_LIMITS);
  let closed = 0;
  const add = () => {
    const connection = { userId: 'ada', sessionId: 'session', close } as unknown as LiveSocket;
    function close(): void {
      connections.remove(connection);
      closed += 1;
    }
    connections.add(connection);
  };
  for (let i = 0; i < size; i += 1) add();
  return { add, renewal: createRenewal(connections), countClosed: () => closed };
}

test('closes many connections over two seconds, but none that opened after the start', () => {
  const { add, renewal, countClosed } = createRecorded(1_000);
  renewal.start();
  add();
  expect(countClosed()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(countClosed()).toBe(500);
  vi.advanceTimersByTime(1_020);
  expect(countClosed()).toBe(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('closes a single connection at once', () => {
  const { renewal, countClosed } = createRecorded(1);
  renewal.start();
  vi.advanceTimersByTime(20);
  expect(countClosed()).toBe(1);
});

test('a second start includes the connections that opened since the first one', () => {
  const { add, renewal, countClosed } = createRecorded(100);
  renewal.start();
  vi.advanceTimersByTime(20);
  add();
  renewal.start();
  vi.advanceTimersByTime(2_020);
  expect(countClosed()).toBe(101);
});

test('closes nothing after it is stopped', () => {
  const { renewal, countClosed } = createRecorded(10);
  renewal.start();
  renewal.stop();
  vi.advanceTimersByTime(2_000);
  expect(countClosed()).toBe(0);
});
