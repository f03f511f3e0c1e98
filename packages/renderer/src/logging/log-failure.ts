/**
 * Logs a failure to the console for troubleshooting. `what` completes "Parley: … failed". Ignores
 * `AbortError`.
 */
export function logFailure(what: string, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  // The only place that writes to the console.
  // oxlint-disable-next-line no-console
  console.error(`Parley: ${what} failed.`, error);
}
