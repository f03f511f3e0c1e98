import { findDeepLink } from '../links/deep-link.ts';

/** A command to run once this process has exited. */
export interface DetachedCommand {
  file: string;
  args: string[];
}

/** Tenths of a second. The old process may take this long to save and exit. */
const MAX_TENTHS = 600;
/**
 * Waits until the process `$1` has exited, then runs the other arguments as a command. File names are arguments,
 * so the script needs no quoting.
 */
const WAIT_THEN_RUN = `pid=$1; shift; n=0
while kill -0 "$pid" 2>/dev/null && [ $n -lt ${MAX_TENTHS} ]; do sleep 0.1; n=$((n+1)); done
exec "$@"`;

/**
 * Returns the command that restarts an AppImage. Electron's own helper runs from the mounted image, which
 * disappears with the app, so this uses a shell.
 * @param image path of the `.AppImage` file, from `APPIMAGE`
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
