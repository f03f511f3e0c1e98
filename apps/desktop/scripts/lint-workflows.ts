import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lintWorkflow } from './workflows/lint-workflow.ts';

// Part of `npm run check`, as GitHub would otherwise be the first to report an error in a workflow.

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
