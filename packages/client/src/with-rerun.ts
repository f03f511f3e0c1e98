/**
 * Returns a function that runs a task, and once more after it if it is called meanwhile.
 * @param task must not reject
 */
export function withRerun(task: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await task();
    }
    isRunning = false;
  }

  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
