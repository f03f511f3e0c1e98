import { expect, onTestFinished, test, vi } from 'vitest';
import type { BrowserWindow as RealWindow } from 'electron';
import { createUnreadDisplay } from '../src/main/badge/unread-display.electron.ts';
import { getTexts } from '../src/texts/desktop-texts.ts';
import { BrowserWindow, startElectron } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

const ORIGIN = 'https://chat.example';

test('shows the icon on the taskbar of Windows again when a hidden window is shown', async () => {
  await startElectron(async () => undefined);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const window = new BrowserWindow({ webPreferences: {} });
  const unread = createUnreadDisplay(
    'win32',
    () => window as unknown as RealWindow,
    () => getTexts('en'),
    () => undefined,
  );
  window.on('show', () => unread.restore(ORIGIN));
  window.show();
  vi.advanceTimersByTime(1_000);
  unread.set(ORIGIN, 2, 'data:image/png;base64,AA==');
  expect(window.overlay).toContain('2');
  window.hide();
  unread.set(ORIGIN, 3, 'data:image/png;base64,AA==');
  expect(window.overlay).toBe('');
  window.show();
  vi.advanceTimersByTime(1_000);
  expect(window.overlay).toContain('3');
  unread.set(ORIGIN, 0, undefined);
  window.hide();
  window.show();
  vi.advanceTimersByTime(1_000);
  expect(window.overlay).toBe('');
  window.destroy();
  // The delayed call finds no window.
  vi.advanceTimersByTime(1_000);
});
