import { app, powerMonitor } from 'electron';
import { log } from '../log/log.ts';

/** Milliseconds. A hanging disk must not keep the app running. */
const SAVE_TIMEOUT_MS = 5_000;

/**
 * Delays quitting until the data is on the disk, or a timeout has passed. Does not delay the end of the system's
 * session, as macOS cancels it for an app that refuses to quit.
 */
export function quitCleanly(onQuit: () => void, save: () => Promise<unknown>): void {
  let mayQuit = false;
  powerMonitor.on('shutdown', () => {
    mayQuit = true;
    onQuit();
    void save();
  });
  app.on('before-quit', onQuit);
  app.on('will-quit', (event) => {
    if (mayQuit) return;
    event.preventDefault();
    const end = async (): Promise<void> => {
      await Promise.race([save(), timeout()]);
      log.info('quit');
      mayQuit = true;
      app.quit();
    };
    void end();
  });
  // On macOS the app keeps running without windows.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

function timeout(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, SAVE_TIMEOUT_MS).unref();
  });
}
