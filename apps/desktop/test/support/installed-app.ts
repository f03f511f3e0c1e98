import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AT_LOGIN } from '../../src/main/autostart/autostart-entry.ts';
import { app, recorded, startElectron, type BrowserWindow } from './fake-electron.ts';
import { fakePrograms } from './fake-programs.ts';

/** A server that was added in an earlier run. Nothing responds there. */
const KNOWN = 'https://chat.example';

/** A running app with one known server. */
export interface InstalledApp {
  /** The window of the known server. */
  window: () => BrowserWindow;
  /** Sets whether the desktop has a panel for tray icons. */
  setPanel: (exists: boolean) => Promise<void>;
  dispose: () => Promise<void>;
}

/**
 * Starts the built app with one known server, on a Linux desktop with or without a panel for tray icons. Works
 * once per test file, as the app ends with its process.
 */
export async function startInstalledApp(
  preferences: Record<string, boolean>,
  hasPanel: boolean,
  isAtLogin = false,
): Promise<InstalledApp> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-installed-'));
  recorded.userData = folder;
  const servers = [{ origin: KNOWN, mediaOrigins: [] }];
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ servers, preferences }));
  const panel = join(folder, 'panel');
  const setPanel = (exists: boolean) => writeFile(panel, `(<${exists}>,)`);
  await setPanel(hasPanel);
  const restorePrograms = await fakePrograms({ gdbus: `/bin/cat '${panel}'` });
  if (isAtLogin) process.argv.push(AT_LOGIN);
  // Fakes an installed app, as opposed to one that was started from the sources.
  app.isPackaged = true;
  await startElectron(() => import(join(import.meta.dirname, '../../out/main/boot.js')));
  return {
    setPanel,
    window: () => {
      const window = recorded.windows.findLast(({ isGone }) => !isGone);
      if (window === undefined) throw new Error('no window is open');
      return window;
    },
    dispose: async () => {
      if (isAtLogin) process.argv.splice(process.argv.indexOf(AT_LOGIN), 1);
      await restorePrograms();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
