import type { BrowserWindow as ElectronWindow } from 'electron';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hideWindow, trackBounds } from '../src/main/window/window-state.ts';
import type { SavedBounds } from '../src/main/settings/settings.ts';
import { BrowserWindow, startElectron } from './support/fake-electron.ts';

let fake: BrowserWindow;
let window: ElectronWindow;
beforeAll(() => startElectron(async () => undefined));
beforeEach(() => {
  fake = new BrowserWindow({ webPreferences: {} });
  window = fake as unknown as ElectronWindow;
});

describe('hiding a window', () => {
  test('leaves full screen first on macOS, as a black space would stay behind', async () => {
    fake.show();
    fake.setFullScreen(true);
    await vi.waitFor(() => expect(fake.isFullScreen()).toBe(true));
    const steps: string[] = [];
    for (const step of ['leave-full-screen', 'hide']) fake.on(step, () => steps.push(step));
    hideWindow(window, 'darwin');
    await vi.waitFor(() => expect(fake.isShown).toBe(false));
    expect(steps).toEqual(['leave-full-screen', 'hide']);
    fake.show();
    hideWindow(window, 'darwin');
    expect(fake.isShown).toBe(false);
  });

  test('keeps full screen on other systems', () => {
    fake.show();
    hideWindow(window, 'linux');
    expect(fake.isShown).toBe(false);
  });
});

describe('the tracked bounds', () => {
  let kept: SavedBounds[];
  beforeEach(() => {
    kept = [];
    trackBounds(window, (bounds) => kept.push(bounds));
  });

  test('are reported once after several moves', () => {
    vi.useFakeTimers();
    fake.show();
    for (const event of ['move', 'move', 'resize']) fake.emit(event);
    fake.maximize();
    expect(kept).toEqual([]);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect(kept).toEqual([{ x: 10, y: 20, width: 900, height: 700, maximized: true }]);
  });

  test('are not reported for a window that was never shown or is in full screen', async () => {
    fake.emit('close');
    fake.show();
    fake.setFullScreen(true);
    await vi.waitFor(() => expect(fake.isFullScreen()).toBe(true));
    fake.emit('close');
    expect(kept).toEqual([]);
  });
});
