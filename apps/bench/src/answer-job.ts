/**
 * Runs a task with the job that the parent process sends, and sends back its result. Ends the process if the task
 * fails.
 */
export function answerJob(task: (job: never) => Promise<unknown>): void {
  process.once('message', (job) => {
    // The parent process sends what the task takes.
    task(job as never).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
