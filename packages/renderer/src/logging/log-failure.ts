/**
 * Writes a failure to the console, for whoever helps a user. `what` completes "Parley: … failed".
 * Cancelled work is no failure.
 */
export function logFailure(what: string, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  // The one place that writes to the console.
  // oxlint-disable-next-line no-console
  console.error(`Parley: ${what} failed.`, error);
}
