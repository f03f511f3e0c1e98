import { join } from 'node:path';
import { checkBudget, type CostCounts } from '@parley/testing/budget';
import { isLongRun } from '@parley/testing/scope';
import type { FullResult, Reporter, TestCase, TestResult } from 'playwright/types/testReporter';
import { COSTS_ANNOTATION } from './browser-costs.ts';

const FILE = join(import.meta.dirname, '../../budget.json');

/** Fails a run of `npm test` whose browser tests use more than the budget. */
export default class BrowserBudgetReporter implements Reporter {
  readonly #used = new Map<string, CostCounts>();

  onTestEnd(test: TestCase, result: TestResult): void {
    const [, , ...title] = test.titlePath();
    const json = result.annotations.find(({ type }) => type === COSTS_ANNOTATION)?.description;
    if (json === undefined) return;
    this.#used.set(title.join(' › '), { tests: 1, ...(JSON.parse(json) as CostCounts) });
  }

  async onEnd(): Promise<{ status: FullResult['status'] } | undefined> {
    if (isLongRun) return undefined;
    const { report, isExceeded } = checkBudget(FILE, this.#used);
    process.stdout.write(`\n${report}\n`);
    return isExceeded ? { status: 'failed' } : undefined;
  }
}
