import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkBudget } from './test-budget.ts';

function createBudget(limits: Record<string, number>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-budget-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'budget.json');
  writeFileSync(file, JSON.stringify({ reasons: ['A test'], limits }));
  return file;
}

const USED = new Map([
  ['cheap', { servers: 1, hashes: 0 }],
  ['expensive', { servers: 4, hashes: 2 }],
]);

test('accepts tests that use as much as the budget', () => {
  expect(checkBudget(createBudget({ servers: 5, hashes: 2 }), USED)).toEqual({
    isExceeded: false,
    report: 'Used of the budget: 5 of 5 servers, 2 of 2 hashes',
  });
});

test('names the tests that use most of an exceeded limit', () => {
  const file = createBudget({ servers: 4, hashes: 2 });
  const { isExceeded, report } = checkBudget(file, USED);
  expect(isExceeded).toBe(true);
  expect(report.split('\n')).toEqual([
    'Used of the budget: 5 of 4 servers, 2 of 2 hashes',
    `Too many servers. Make tests cheaper, or raise the limit in ${file} with a reason:`,
    '  4 expensive',
    '  1 cheap',
  ]);
});
