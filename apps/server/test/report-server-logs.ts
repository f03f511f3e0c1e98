// A setup file of Vitest that shows what servers have logged as a warning or an error in a test that fails.
import { afterEach } from 'vitest';
import { takeServerLogs } from './server-logs.ts';

/** Number of lines that are shown. */
const LINES_MAX = 30;
/** The level of warnings, in pino. */
const WARNING = 40;

afterEach(({ task }) => {
  const logs = takeServerLogs();
  if (task.result?.state !== 'fail') return;
  for (const log of logs) {
    const lines = log.filter((line) => (JSON.parse(line) as { level: number }).level >= WARNING);
    process.stderr.write(lines.slice(-LINES_MAX).join(''));
  }
});
