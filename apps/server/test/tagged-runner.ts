import { TestRunner, type RunnerTask, type RunnerTestFile } from 'vitest';

/** The tag of the tests that run, of a file in which tests have it. */
const TAG = 'postgres';

/** Runs all tests of a file in which no test has the tag, and of others only those that have it. */
export default class TaggedRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) if (hasTag(file)) skipUntagged(file);
  }
}

function hasTag(task: RunnerTask): boolean {
  return 'tasks' in task ? task.tasks.some(hasTag) : (task.tags?.includes(TAG) ?? false);
}

function skipUntagged(task: RunnerTask): void {
  if (!hasTag(task)) task.mode = 'skip';
  if ('tasks' in task) task.tasks.forEach(skipUntagged);
}
