import { expect, test } from 'vitest';
import { planAfterCrash } from './crash-plan.ts';

test.each([
  ['clean-exit', Infinity, 'nothing'],
  ['crashed', Infinity, 'reload'],
  ['oom', 30_000, 'reload'],
  ['crashed', 29_999, 'ask'],
  ['launch-failed', Infinity, 'ask'],
  ['integrity-failure', Infinity, 'ask'],
])('after %s, %d ms since the last crash, the plan is %s', (reason, sinceLast, plan) => {
  expect(planAfterCrash(reason, sinceLast)).toBe(plan);
});
