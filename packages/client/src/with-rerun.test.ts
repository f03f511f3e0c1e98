import { expect, test, vi } from 'vitest';
import { withRerun } from './with-rerun.ts';

test('runs a task once more for all calls that it has missed', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const request = withRerun(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  request();
  request();
  request();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await vi.waitFor(() => expect(runs).toHaveLength(2));
  runs[1]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toHaveLength(2);
  request();
  expect(runs).toHaveLength(3);
});
