import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { quitCleanly } from '../src/main/quit/quit.electron.ts';
import { app, recorded } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('quits even if saving never finishes', async () => {
  quitCleanly(
    () => undefined,
    () => new Promise(() => undefined),
  );
  app.quit();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recorded.isQuit).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(recorded.isQuit).toBe(true);
});
