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
    args: ['-c', WAIT_THEN_RUN, 'sh', String(exitingPid), image, ...withoutLinks(args)],
  };
}

/** Returns the arguments for a restart, without a link that has been opened already. */
export function withoutLinks(args: readonly string[]): string[] {
  return args.filter((arg) => findDeepLink([arg]) === undefined);
}
