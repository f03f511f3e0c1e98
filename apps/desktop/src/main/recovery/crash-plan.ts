/** What to do after the renderer process of a page has ended. */
export type CrashPlan = 'nothing' | 'reload' | 'ask';

/** Milliseconds. After a second crash within this time, the page is not reloaded automatically. */
const REPEATED_CRASH_MS = 30_000;
/** Crash reasons that reloading cannot fix: the process could not start, or its code was modified. */
const UNFIXABLE_REASONS: ReadonlySet<string> = new Set(['launch-failed', 'integrity-failure']);

/**
 * Decides what to do after a crash. The page is reloaded, but if that cannot help or it crashes again soon, the user
 * decides, as a page that always crashes would otherwise reload forever.
 * @param reason the reason from the event `render-process-gone`
 * @param sinceLast milliseconds since the previous crash of the same page
 */
export function planAfterCrash(reason: string, sinceLast: number): CrashPlan {
  if (reason === 'clean-exit') return 'nothing';
  return UNFIXABLE_REASONS.has(reason) || sinceLast < REPEATED_CRASH_MS ? 'ask' : 'reload';
}
