import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { runNpm } from '../src/run-npm.ts';

// Runs `npm test` with everything that takes long, and then the tests of `npm test` in browsers again
// beside busy processes, where tests fail that depend on the machine's speed.

/** Processes that use the processor during the second run of the tests in browsers. */
const BUSY_PROCESSES = 16;
/** Lower than that of the tests, so that they slow down, but do not stop. */
const BUSY_PRIORITY = 5;

// `npm run check` checks the types of a file only with the configuration beside it, not with those of its users.
runNpm(['run', 'types']);
runNpm(['test'], { PARLEY_TEST_LONG: 'true', PARLEY_TEST_LANGUAGES: 'en,de' });

const busy = Array.from({ length: BUSY_PROCESSES }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
process.on('exit', () => busy.forEach((child) => child.kill()));
for (const child of busy) {
  // Otherwise, this process would wait for them.
  child.unref();
  if (child.pid !== undefined) setPriority(child.pid, BUSY_PRIORITY);
}
process.stdout.write(`\nThe tests in browsers again beside ${BUSY_PROCESSES} busy processes\n`);
runNpm(['run', 'test:components']);
runNpm(['run', 'test', '--workspace', '@parley/e2e']);
