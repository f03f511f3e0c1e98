import { findDeepLink } from '../links/deep-link.ts';

/** A program to start once this process has exited. */
export interface DetachedCommand {
  file: string;
  args: string[];
}

/** Tenths of a second that the old process may take to save and exit. */
const PATIENCE = 600;
/**
 * Waits for process `$1` and then becomes the program after it. Its own arguments keep file names out of
 * the script.
 */
const WAIT_THEN_RUN = `pid=$1; shift; n=0
while kill -0 "$pid" 2>/dev/null && [ $n -lt ${PATIENCE} ]; do sleep 0.1; n=$((n+1)); done
exec "$@"`;

/**
 * Returns the command that restarts an AppImage. Electron's own helper for this is a second copy of the
 * running program, which lies inside the mounted image and goes away with it; the shell does not.
 * @param image path of the `.AppImage` file, from `APPIMAGE`
 * @param args arguments of this start, without the program
 */
export function appImageRelaunch(
  image: string,
  pid: number,
  args: readonly string[],
): DetachedCommand {
  return {
    file: '/bin/sh',
    args: ['-c', WAIT_THEN_RUN, 'sh', String(pid), image, ...withoutLinks(args)],
  };
}

/** Arguments for a restart: a link that this start was given has been followed already. */
export function withoutLinks(args: readonly string[]): string[] {
  return args.filter((arg) => findDeepLink([arg]) === undefined);
}
