import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lintWorkflow } from './workflows/lint-workflow.ts';

// `npm run check` runs this, so that errors in workflows are reported before a push to GitHub.

const folder = join(import.meta.dirname, '../../../.github/workflows');
const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));
for (const name of names) {
  for (const { line, message } of await lintWorkflow(
    folder,
    await readFile(join(folder, name), 'utf8'),
  )) {
    console.error(`.github/workflows/${name}:${line}: ${message}`);
    process.exitCode = 1;
  }
}
