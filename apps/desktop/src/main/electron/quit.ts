import { app } from 'electron';
import { log } from '../log/log.ts';

/** Ends the app only once everything that it keeps is on the disk. */
export function quitCleanly(onQuit: () => void, save: () => Promise<unknown>): void {
  let isSaved = false;
  app.on('before-quit', onQuit);
  app.on('will-quit', (event) => {
    if (isSaved) return;
    event.preventDefault();
    const end = async (): Promise<void> => {
      await save();
      log.info('quit');
      isSaved = true;
      app.quit();
    };
    void end();
  });
  // On a Mac the app stays without windows.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}
