import { AT_LOGIN } from '../autostart/autostart-entry.ts';
import { findDeepLink } from '../links/deep-link.ts';

/** A command to spawn detached from this process, so that it continues after the exit. */
export interface DetachedCommand {
  file: string;
  args: string[];
}

/** Tenths of a second that the old process may take to save and exit. */
const MAX_TENTHS = 600;
/**
 * Waits until the process `$1` has exited or the time is up, then runs the other arguments as a command. File
 * names are passed as arguments, so they need no quoting.
 */
const WAIT_THEN_RUN = `pid=$1; shift; n=0
while kill -0 "$pid" 2>/dev/null && [ $n -lt ${MAX_TENTHS} ]; do sleep 0.1; n=$((n+1)); done
exec "$@"`;

/**
 * Returns the command that restarts an AppImage. Electron's own helper runs from the mounted image, which
 * disappears with the app, so this uses a shell.
 * @param image path of the `.AppImage` file, from `APPIMAGE`
 * @param exitingPid id of the process to wait for
 * @param args arguments of this process, without the program
 */
export function createRelaunchCommand(
  image: string,
  exitingPid: number,
  args: readonly string[],
): DetachedCommand {
  return {
    file: '/bin/sh',
    args: ['-c', WAIT_THEN_RUN, 'sh', String(exitingPid), image, ...toRestartArgs(args)],
  };
}

/**
 * Returns the arguments for a restart by the user: without a link that has been opened already, and without the one
 * that hides the window after a start at login.
 */
export function toRestartArgs(args: readonly string[]): string[] {
  return args.filter((arg) => arg !== AT_LOGIN && findDeepLink([arg]) === undefined);
}
