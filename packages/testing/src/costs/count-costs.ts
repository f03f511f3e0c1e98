// A setup file of Vitest that counts what a test file uses, for `BudgetReporter`.
import { afterAll } from 'vitest';
import { costs } from './costs.ts';

// Files may share a process.
const before = { ...costs };

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the pattern
afterAll(({}, { meta }) => {
  meta.costs = {
    servers: costs.servers - before.servers,
    processes: costs.processes - before.processes,
    hashes: costs.hashes - before.hashes,
    cases: costs.cases - before.cases,
  };
});
