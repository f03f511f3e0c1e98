import { explain } from './cli/explain.ts';
import { serve } from './cli/serve.ts';

try {
  await serve(process.env);
} catch (error) {
  process.stderr.write(`parley: ${explain(error)}\n`);
  process.exit(1);
}
