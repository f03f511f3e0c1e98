import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPolling, type Polling } from './polling.ts';

let polls: number;
let hasServer: boolean;
let setInUse: (isInUse: boolean) => void;
let polling: Polling;

beforeEach(() => {
  vi.useFakeTimers();
  polls = 0;
  hasServer = true;
  polling = createPolling({
    platform: {
      watchUse: (listener) => {
        setInUse = listener;
        listener(true);
        return () => undefined;
      },
    },
    poll: async () => {
      polls += 1;
      if (!hasServer) throw new Error('no response');
    },
    timing: { pollMin: 5_000, pollMax: 60_000 },
  });
  polling.start();
});

afterEach(() => {
  polling.stop();
  vi.useRealTimers();
});

/** Returns the number of polls within some seconds. */
async function pollsWithin(seconds: number): Promise<number> {
  const before = polls;
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return polls - before;
}

test('polls every five seconds while the app is used, also while the server does not respond', async () => {
  expect(await pollsWithin(20)).toBe(4);
  hasServer = false;
  expect(await pollsWithin(20)).toBe(4);
});

test('polls less and less often up to once a minute while the app is not used', async () => {
  setInUse(false);
  expect(await pollsWithin(5 + 10 + 20 + 40)).toBe(4);
  expect(await pollsWithin(180)).toBe(3);
  setInUse(true);
  expect(await pollsWithin(1)).toBe(1);
  expect(await pollsWithin(20)).toBe(4);
});

test('polls at once if the user asks for it', async () => {
  setInUse(false);
  await pollsWithin(200);
  polling.pollNow();
  expect(await pollsWithin(1)).toBe(1);
  polling.stop();
  polling.pollNow();
  expect(await pollsWithin(120)).toBe(0);
});
