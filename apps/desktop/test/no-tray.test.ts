import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seen } from './support/fake-electron.ts';
import { startInstalled, type InstalledApp } from './support/installed.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

let installed: InstalledApp;
beforeAll(async () => {
  installed = await startInstalled({ closeToTray: true, startHidden: true }, false);
});
afterAll(() => installed.dispose());

test.skipIf(process.platform !== 'linux')(
  'shows its window and quits with it on a desktop without a tray',
  async () => {
    await expect.poll(() => seen.windows.length).toBe(1);
    const window = installed.window();
    await expect.poll(() => window.isShown).toBe(true);
    expect(seen.trays).toEqual([]);
    window.close();
    await expect.poll(() => seen.isQuit).toBe(true);
  },
);
