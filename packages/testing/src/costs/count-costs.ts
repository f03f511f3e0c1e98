// A setup file of Vitest that counts what a test file uses, for `BudgetReporter`.
import { afterAll } from 'vitest';
import { costs, type Costs } from './costs.ts';

// Files may share a process.
Object.assign(costs, { servers: 0, processes: 0, hashes: 0, cases: 0 } satisfies Costs);

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the pattern
afterAll(({}, { meta }) => {
  meta.costs = { ...costs };
});
