import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgressLine } from './progress-line.ts';

/** Creates a line on a terminal with a clock that the test moves. */
function start(isTTY = true) {
  let output = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      output += String(chunk);
      done();
    },
  });
  const clock = { ms: 0 };
  const line = createProgressLine({ stderr: Object.assign(stderr, { isTTY }) }, () => clock.ms);
  /** Returns the output since the last call. */
  const read = () => {
    const text = output;
    output = '';
    return text;
  };
  return { line, clock, output: read };
}

const CLEAR = '\r\u001B[K';

test('a long step shows its counts and the time left', () => {
  const { line, clock, output } = start();
  line.report('copy-rows', 0, 120_000);
  clock.ms = 10_000;
  line.report('copy-rows', 30_000, 120_000);
  expect(output()).toBe(`${CLEAR}Copying rows: 30,000 of 120,000, 30 s left`);
  clock.ms = 100_000;
  line.report('copy-rows', 40_000, 120_000);
  expect(output()).toBe(`${CLEAR}Copying rows: 40,000 of 120,000, 3 min 20 s left`);
  line.clear();
  expect(output()).toBe(CLEAR);
});

test('the time left is that of the current step', () => {
  const { line, clock, output } = start();
  line.report('copy-rows', 1, 1);
  clock.ms = 50_000;
  line.report('archive-files', 0, 10_000);
  clock.ms = 60_000;
  line.report('archive-files', 10, 10_000);
  expect(output()).toBe(
    `${CLEAR}Archiving media files: 0 of 10,000` +
      `${CLEAR}Archiving media files: 10 of 10,000, 2 h 46 min left`,
  );
});

test('an archive of unknown size shows what has been read', () => {
  const { line, clock, output } = start();
  clock.ms = 1_000;
  line.report('read-archive', 5_300_000_000, undefined);
  expect(output()).toBe(`${CLEAR}Reading the archive (MiB): 5,054`);
});

test('the line is updated at most twice a second', () => {
  const { line, clock, output } = start();
  for (clock.ms = 0; clock.ms <= 2_000; clock.ms += 1) line.report('copy-rows', 1, 2);
  expect(output().split(CLEAR)).toHaveLength(5);
});

test('a short command shows nothing', () => {
  const { line, clock, output } = start();
  clock.ms = 400;
  line.report('copy-rows', 1, 2);
  line.clear();
  expect(output()).toBe('');
});

test('nothing is shown if standard error is not a terminal', () => {
  const { line, clock, output } = start(false);
  clock.ms = 10_000;
  line.report('copy-rows', 1, 2);
  line.clear();
  expect(output()).toBe('');
});
