import type { BrowserWindow as ElectronWindow } from 'electron';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hideWindow } from '../src/main/electron/hide-window.ts';
import { keepBounds } from '../src/main/electron/keep-bounds.ts';
import type { SavedBounds } from '../src/main/settings/settings.ts';
import { BrowserWindow, startElectron } from './support/fake-electron.ts';

let played: BrowserWindow;
let window: ElectronWindow;
beforeAll(() => startElectron(async () => undefined));
beforeEach(() => {
  played = new BrowserWindow({ webPreferences: {} });
  window = played as unknown as ElectronWindow;
});

describe('hiding a window', () => {
  test('leaves full screen first on macOS, as a black space would stay behind', async () => {
    played.show();
    played.setFullScreen(true);
    await vi.waitFor(() => expect(played.isFullScreen()).toBe(true));
    const steps: string[] = [];
    for (const step of ['leave-full-screen', 'hide']) played.on(step, () => steps.push(step));
    hideWindow(window, 'darwin');
    await vi.waitFor(() => expect(played.isShown).toBe(false));
    expect(steps).toEqual(['leave-full-screen', 'hide']);
    played.show();
    hideWindow(window, 'darwin');
    expect(played.isShown).toBe(false);
  });

  test('happens at once on other systems, where full screen is left alone', () => {
    played.show();
    hideWindow(window, 'linux');
    expect(played.isShown).toBe(false);
  });
});

describe('the bounds that are kept', () => {
  let kept: SavedBounds[];
  beforeEach(() => {
    kept = [];
    keepBounds(window, (bounds) => kept.push(bounds));
  });

  test('are those after the last move, before the window closes', () => {
    vi.useFakeTimers();
    played.show();
    for (const event of ['move', 'move', 'resize']) played.emit(event);
    played.maximize();
    expect(kept).toEqual([]);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect(kept).toEqual([{ x: 10, y: 20, width: 900, height: 700, maximized: true }]);
  });

  test('stay as they were for a window that was never shown or is in full screen', async () => {
    played.emit('close');
    played.show();
    played.setFullScreen(true);
    await vi.waitFor(() => expect(played.isFullScreen()).toBe(true));
    played.emit('close');
    expect(kept).toEqual([]);
  });
});
