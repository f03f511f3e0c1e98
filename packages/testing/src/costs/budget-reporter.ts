import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { isLongRun } from '../test-scope.ts';
import { checkBudget, type CostCounts } from './test-budget.ts';
import type { Costs } from './costs.ts';

const FILE = join(import.meta.dirname, '../../budget.json');

/** Fails a run of `npm test` whose test files use more than the budget. */
export class BudgetReporter implements Reporter {
  readonly #used = new Map<string, CostCounts>();

  onTestModuleEnd(file: TestModule): void {
    const { costs }: { costs?: Costs } = file.meta();
    if (costs) this.#used.set(`${file.project.name} ${file.relativeModuleId}`, { ...costs });
  }

  onTestRunEnd(): void {
    if (isLongRun) return;
    const { report, isExceeded } = checkBudget(FILE, this.#used);
    process.stdout.write(`\n${report}\n`);
    if (isExceeded) process.exitCode = 1;
  }
}
