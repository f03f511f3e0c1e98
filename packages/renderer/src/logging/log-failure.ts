/**
 * Logs a failure to the console for troubleshooting. `what` completes "Parley: … failed". Ignores
 * `AbortError`. Failures that are expected have the level `info`.
 */
export function logFailure(what: string, error: unknown, level: 'error' | 'info' = 'error'): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  // The only place that writes to the console.
  // oxlint-disable-next-line no-console
  console[level](`Parley: ${what} failed.`, error);
}
