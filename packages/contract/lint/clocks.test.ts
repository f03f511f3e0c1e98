import { expect, test } from 'vitest';
import { reportedLines as reportedLinesOf } from './reported-lines.ts';

const reportedLines = (lines: readonly string[]): number[] =>
  reportedLinesOf('clocks.js', 'tests/no-clocks', lines);

test('reports pauses, upper bounds of durations, CPU times and short time limits', () => {
  const lines = [
    'await page.waitForTimeout(100);',
    'await sleep(1_000);',
    'await new Promise((resolve) => setTimeout(resolve, 500));',
    'expect(performance.now() - startedAt).toBeLessThan(1_000);',
    'expect(Date.now() - startedAt).toBeLessThanOrEqual(1_000);',
    'await expect(button).toBeVisible({ timeout: 5_000 });',
    'await expect.poll(read, { timeout: 8_000 }).toBe(1);',
    'const before = process.cpuUsage();',
    'const { user } = process.threadCpuUsage(before);',
  ];
  expect(reportedLines(lines)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('accepts steps of loops, waits with a name, timers, lower bounds and long time limits', () => {
  const lines = [
    'await sleep(20);',
    'await sleep(UNEXPECTED_MS);',
    'setTimeout(() => server.close(), 1_000);',
    'expect(performance.now() - startedAt).toBeGreaterThan(1_000);',
    'await expect(button).toBeVisible({ timeout: 60_000 });',
    'const send = createSender({ timeout: 300 });',
    'const { rss } = process.memoryUsage();',
  ];
  expect(reportedLines(lines)).toEqual([]);
});
