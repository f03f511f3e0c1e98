import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recorded } from './support/fake-electron.ts';
import { startInstalledApp, type InstalledApp } from './support/installed-app.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

let installed: InstalledApp;
beforeAll(async () => {
  installed = await startInstalledApp({ closeToTray: true, startHidden: true }, false);
});
afterAll(() => installed.dispose());

test.skipIf(process.platform !== 'linux')(
  'shows the window at a start by hand, and quits when it is closed on a desktop without a tray',
  async () => {
    await expect.poll(() => recorded.windows.length).toBe(1);
    const window = installed.window();
    await expect.poll(() => window.isShown).toBe(true);
    expect(recorded.trays).toEqual([]);
    window.close();
    await expect.poll(() => recorded.isQuit).toBe(true);
  },
);
