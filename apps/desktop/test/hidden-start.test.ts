import type { DesktopStart } from '@parley/contract';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app, recorded } from './support/fake-electron.ts';
import { createFakePage } from './support/fake-page.ts';
import { startInstalledApp, type InstalledApp } from './support/installed-app.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

// One run of the app. The tests depend on each other.

let installed: InstalledApp;
beforeAll(async () => {
  installed = await startInstalledApp({ closeToTray: true, startHidden: true }, true, true);
});
afterAll(() => installed.dispose());

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux(
  'shows only the tray after a hidden start, and the window after a click on the tray',
  async () => {
    await expect.poll(() => recorded.windows.length).toBe(1);
    expect(installed.window().isShown).toBe(false);
    expect(recorded.trays).toHaveLength(1);
    recorded.trays[0]?.emit('click');
    await expect.poll(() => installed.window().isShown).toBe(true);
  },
);

onLinux('hides a closed window, and shows it when the app is started again', async () => {
  const window = installed.window();
  window.close();
  expect([window.isShown, window.isGone]).toEqual([false, false]);
  app.emit('second-instance', {}, ['parley']);
  await expect.poll(() => window.isShown).toBe(true);
});

onLinux('shows a hidden window on the remaining screen after its own is gone', async () => {
  const window = installed.window();
  const { workArea } = recorded;
  window.close();
  recorded.workArea = { x: 2000, y: 0, width: 800, height: 600 };
  recorded.trays[0]?.emit('click');
  await expect.poll(() => window.isShown).toBe(true);
  expect(window.getNormalBounds()).toEqual({ x: 2000, y: 0, width: 800, height: 600 });
  recorded.workArea = workArea;
});

onLinux('stores the start at login in an autostart entry', async () => {
  const page = createFakePage(installed.window());
  const start = page.sendSync('parley:start') as DesktopStart;
  expect(start.features).toMatchObject({ tray: true, startAtLogin: true });
  expect(start.preferences.startAtLogin).toBe(false);
  expect(await page.invoke('parley:set-preferences', { startAtLogin: true })).toMatchObject({
    startAtLogin: true,
    startHidden: true,
  });
  const entry = join(recorded.userData, 'autostart', 'parley.desktop');
  expect(await readFile(entry, 'utf8')).toContain(`Exec="${process.execPath}" --at-login`);
  await rm(entry);
  expect(page.sendSync('parley:start')).toMatchObject({ preferences: { startAtLogin: false } });
});

onLinux('keeps running in the tray when the list of servers is closed', async () => {
  const window = installed.window();
  window.close();
  const menu = recorded.trays[0]?.menu as { label?: string; click?: () => void }[];
  menu.find(({ label }) => label === 'Add or Change Servers…')?.click?.();
  const picker = installed.window();
  expect(picker).not.toBe(window);
  picker.close();
  await expect.poll(() => picker.isGone).toBe(true);
  expect([window.isGone, recorded.isQuit]).toEqual([false, false]);
});

onLinux('quits when its last window closes after the panel has gone', async () => {
  const window = installed.window();
  window.show();
  await installed.setPanel(false);
  window.close();
  await expect.poll(() => recorded.isQuit).toBe(true);
  expect(window.isGone).toBe(true);
});
