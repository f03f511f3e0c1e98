import { runCommandLine } from './cli/run.ts';
import { loadWebFiles } from './web-client/load-web-files.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  loadWebFiles: () => loadWebFiles(import.meta.dirname),
});
// Lets what was written reach a pipe; whatever else might hold the process does not hold it long.
setTimeout(() => process.exit(), 2_000).unref();
