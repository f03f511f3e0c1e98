import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findViolations } from './layers.ts';

// Part of `npm run check`: checks which folders and layers of the server import each other.

const root = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const sources = files.map((file): [string, string] => [
  file.replaceAll(sep, '/'),
  readFileSync(join(root, file), 'utf8'),
]);
const violations = findViolations(new Map(sources));
for (const violation of violations) process.stderr.write(`${violation}\n`);
if (violations.length > 0) {
  process.stderr.write('\nThe rules are in apps/server/scripts/layers.ts.\n');
  process.exitCode = 1;
}
