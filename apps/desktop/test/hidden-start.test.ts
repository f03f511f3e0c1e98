import type { DesktopStart } from '@parley/contract';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app, seen } from './support/fake-electron.ts';
import { pageOf } from './support/page-of.ts';
import { startInstalled, type InstalledApp } from './support/installed.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

// One life of the app in the order of the tests.

let installed: InstalledApp;
beforeAll(async () => {
  installed = await startInstalled({ closeToTray: true, startHidden: true }, true);
});
afterAll(() => installed.dispose());

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('a hidden start leaves only the tray, whose click brings the window', async () => {
  await expect.poll(() => seen.windows.length).toBe(1);
  expect(installed.window().isShown).toBe(false);
  expect(seen.trays).toHaveLength(1);
  seen.trays[0]?.emit('click');
  await expect.poll(() => installed.window().isShown).toBe(true);
});

onLinux('closing hides the window, and a further start brings it back', async () => {
  const window = installed.window();
  window.close();
  expect([window.isShown, window.isGone]).toEqual([false, false]);
  app.emit('second-instance', {}, ['parley']);
  await expect.poll(() => window.isShown).toBe(true);
});

onLinux('the app can be set to start at login, and the system keeps that', async () => {
  const page = pageOf(installed.window());
  const start = page.askSync('parley:start') as DesktopStart;
  expect(start.features).toMatchObject({ tray: true, startAtLogin: true });
  expect(start.preferences.startAtLogin).toBe(false);
  expect(await page.ask('parley:set-preferences', { startAtLogin: true })).toMatchObject({
    startAtLogin: true,
    startHidden: true,
  });
  const entry = join(seen.userData, 'autostart', 'parley.desktop');
  expect(await readFile(entry, 'utf8')).toContain(`Exec="${process.execPath}" --at-login`);
  await rm(entry);
  expect(page.askSync('parley:start')).toMatchObject({ preferences: { startAtLogin: false } });
});

onLinux('closing the list of servers does not end an app that waits in the tray', async () => {
  const window = installed.window();
  window.close();
  const menu = seen.trays[0]?.menu as { label?: string; click?: () => void }[];
  menu.find(({ label }) => label === 'Add or Change Servers…')?.click?.();
  const picker = installed.window();
  expect(picker).not.toBe(window);
  picker.close();
  expect([window.isGone, seen.isQuit]).toEqual([false, false]);
});

onLinux('once the panel is gone, closing the last window ends the app', async () => {
  const window = installed.window();
  window.show();
  await installed.setPanel(false);
  window.close();
  await expect.poll(() => seen.isQuit).toBe(true);
  expect(window.isGone).toBe(true);
});
