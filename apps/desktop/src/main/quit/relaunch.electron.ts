import { app } from 'electron';
import { spawn } from 'node:child_process';
import { createRelaunchCommand, toRestartArgs } from './appimage-relaunch.ts';

/** Restarts the app, which saves its data before it quits. */
export function relaunch(): void {
  const args = process.argv.slice(1);
  const image = process.env['APPIMAGE'];
  // An app that was started from the sources may have inherited the variable from an AppImage.
  if (process.platform === 'linux' && app.isPackaged && image !== undefined) {
    const command = createRelaunchCommand(image, process.pid, args);
    spawn(command.file, command.args, { detached: true, stdio: 'ignore' }).unref();
  } else {
    app.relaunch({ args: toRestartArgs(args) });
  }
  app.quit();
}
