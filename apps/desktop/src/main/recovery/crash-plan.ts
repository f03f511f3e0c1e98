/** What follows when the process behind a page has ended. */
export type CrashPlan = 'nothing' | 'reload' | 'ask';

/** A second crash within this time is not answered by another reload. Milliseconds. */
const REPEATED_MS = 30_000;
/** Trying again at once cannot help: the process could not start, or its code was changed. */
const HOPELESS: ReadonlySet<string> = new Set(['launch-failed', 'integrity-failure']);

/**
 * Decides after a crash. The first one is answered by loading the page again; from then on the user
 * decides, so that a page that always crashes does not flicker forever.
 * @param reason as `render-process-gone` gives it
 * @param sinceLast milliseconds since the previous crash of the same page
 */
export function planAfterCrash(reason: string, sinceLast: number): CrashPlan {
  if (reason === 'clean-exit') return 'nothing';
  return HOPELESS.has(reason) || sinceLast < REPEATED_MS ? 'ask' : 'reload';
}
