import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, recorded, startElectron, type BrowserWindow } from './fake-electron.ts';
import { fakePrograms } from './fake-programs.ts';

/** A server that an earlier start of the app has added. Nothing responds there. */
const KNOWN = 'https://chat.example';

/** A running app that was set up earlier. */
export interface InstalledApp {
  /** The window of the known server. */
  window: () => BrowserWindow;
  /** What the panel of the desktop says from now on. */
  setPanel: (isThere: boolean) => Promise<void>;
  dispose: () => Promise<void>;
}

/**
 * Starts the built app as a user has it who knows one server, on a Linux desktop with or without a panel
 * for tray icons. Once for a test file, as the app ends with its process.
 */
export async function startInstalledApp(
  preferences: Record<string, boolean>,
  hasPanel: boolean,
): Promise<InstalledApp> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-installed-'));
  recorded.userData = folder;
  const servers = [{ origin: KNOWN, mediaOrigins: [] }];
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ servers, preferences }));
  const panel = join(folder, 'panel');
  const setPanel = (isThere: boolean) => writeFile(panel, `(<${isThere}>,)`);
  await setPanel(hasPanel);
  const restorePrograms = await fakePrograms({ gdbus: `/bin/cat '${panel}'` });
  // Installed, not started from the sources.
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
      await restorePrograms();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
