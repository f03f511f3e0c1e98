import { isLongRun } from '@parley/testing/scope';

/**
 * Returns the milliseconds of computing that a task takes, for tests of the long run that compare two tasks.
 * @throws in the short run, beside whose tests no comparison holds
 */
export async function measureCpu(task: () => unknown): Promise<number> {
  if (!isLongRun) throw new Error('only the long run may compare CPU times');
  // oxlint-disable-next-line tests/no-clocks -- only in the long run
  const before = process.cpuUsage();
  await task();
  // oxlint-disable-next-line tests/no-clocks -- only in the long run
  return process.cpuUsage(before).user / 1_000;
}
