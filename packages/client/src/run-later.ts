/** Runs a task after `ms` milliseconds, unless the signal is aborted before. */
export function runLater(signal: AbortSignal, ms: number, task: () => void): void {
  if (signal.aborted) return;
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', cancel);
    task();
  }, ms);
  const cancel = (): void => clearTimeout(timer);
  signal.addEventListener('abort', cancel, { once: true });
}
