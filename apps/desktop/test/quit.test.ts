import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { quitCleanly } from '../src/main/quit/quit.electron.ts';
import { app, powerMonitor, recorded, startElectron } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

beforeAll(() => startElectron(async () => undefined));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  app.removeAllListeners();
  powerMonitor.removeAllListeners();
  recorded.isQuit = false;
});

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

test('saves at the end of the session of the system, but does not delay it', async () => {
  const onQuit = vi.fn<() => void>();
  const save = vi.fn<() => Promise<void>>(() => new Promise(() => undefined));
  quitCleanly(onQuit, save);
  powerMonitor.emit('shutdown', {});
  expect(onQuit).toHaveBeenCalledOnce();
  app.quit();
  expect(recorded.isQuit).toBe(true);
  expect(save).toHaveBeenCalledOnce();
});
