import { once } from 'node:events';
import { EXIT } from './cli/command.ts';
import { describeError } from './cli/describe-error.ts';
import { runCommandLine } from './cli/run.ts';
import { loadWebFiles } from './web-client/load-web-files.ts';

// A reader that has seen enough, as `head` has, ends the command without a word; a full disk with one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`parley: ${describeError(error)}\n`);
  process.exit(EXIT.failed);
});
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadWebFiles: () => loadWebFiles(import.meta.dirname),
});
// What was written reaches its reader, however slow; nothing else holds the process for long.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
setTimeout(() => process.exit(), 2_000).unref();
