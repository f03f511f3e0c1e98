import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findFaults } from './layers.ts';

// Part of `npm run check`: which folders and layers of the server may import which.

const root = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const sources = files.map((file): [string, string] => [
  file.replaceAll(sep, '/'),
  readFileSync(join(root, file), 'utf8'),
]);
const faults = findFaults(new Map(sources));
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) {
  process.stderr.write('\nThe rules are in apps/server/scripts/layers.ts.\n');
  process.exitCode = 1;
}
