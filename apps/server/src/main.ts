import { explain } from './cli/explain.ts';
import { serve } from './cli/serve.ts';
import { loadWebFiles } from './web-client/load-web-files.ts';

try {
  await serve(process.env, loadWebFiles(import.meta.dirname));
} catch (error) {
  process.stderr.write(`parley: ${explain(error)}\n`);
  process.exit(1);
}
