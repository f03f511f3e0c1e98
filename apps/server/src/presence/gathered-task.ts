/** A task that runs soon after it was requested, one run at a time. */
export interface GatheredTask {
  /** Runs the task once more. Requests within a short time share a run. */
  request(): void;
  /** Ends the waiting for the next run. A current run goes on. */
  stop(): void;
}

/** Creates a task that waits `gatherMs` before each run. It must not reject. */
export function createGatheredTask(run: () => Promise<void>, gatherMs: number): GatheredTask {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isRequested = false;
  let isStopped = false;

  async function start(): Promise<void> {
    timer = undefined;
    isRunning = true;
    isRequested = false;
    await run();
    isRunning = false;
    if (isRequested) schedule();
  }

  function schedule(): void {
    if (!isStopped) timer ??= setTimeout(() => void start(), gatherMs);
  }

  return {
    request() {
      if (isRunning) isRequested = true;
      else schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
