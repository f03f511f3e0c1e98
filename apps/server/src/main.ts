import { once } from 'node:events';
import { EXIT } from './cli/command.ts';
import { describeError } from './cli/describe-error.ts';
import { runCommandLine } from './cli/run.ts';
import { loadWebFiles } from './web-client/load-web-files.ts';

// If the reader closes the pipe, as `head` does, the command ends silently. Other errors, such as a
// full disk, are printed.
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
// Waits until a slow reader has received the output, then exits even if other handles are still
// open.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
setTimeout(() => process.exit(), 2_000).unref();
