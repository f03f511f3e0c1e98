import { readFileSync } from 'node:fs';

/** Counts by name. */
export type CostCounts = Readonly<Record<string, number>>;

/** The contents of a file with a budget. */
interface Budget {
  /** Why the limits are what they are. */
  readonly reasons: readonly string[];
  readonly limits: CostCounts;
}

/** Number of tests that are named for each limit that is exceeded. */
const NAMED_MAX = 10;

/**
 * Compares what tests have used with the budget in a file. Returns the report, and whether a limit is exceeded. Counts do
 * not depend on the machine, as times do. A part of the tests stays within the budget of all.
 */
export function checkBudget(
  file: string,
  used: ReadonlyMap<string, CostCounts>,
): { report: string; isExceeded: boolean } {
  const { limits } = JSON.parse(readFileSync(file, 'utf8')) as Budget;
  const sums = Object.entries(limits).map(([name, limit]) => {
    const tests = [...used]
      .map(([test, counts]) => ({ test, count: counts[name] ?? 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count);
    return { name, limit, tests, sum: tests.reduce((sum, { count }) => sum + count, 0) };
  });
  const exceeded = sums.filter(({ sum, limit }) => sum > limit);
  const lines = [
    `Used of the budget: ${sums.map(({ name, sum, limit }) => `${sum} of ${limit} ${name}`).join(', ')}`,
  ];
  for (const { name, tests } of exceeded) {
    lines.push(
      `Too many ${name}. Make tests cheaper, or raise the limit in ${file} with a reason:`,
    );
    for (const { test, count } of tests.slice(0, NAMED_MAX)) lines.push(`  ${count} ${test}`);
  }
  return { report: lines.join('\n'), isExceeded: exceeded.length > 0 };
}
