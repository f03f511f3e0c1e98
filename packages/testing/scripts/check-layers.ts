import { globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findViolations, type LayerRule } from '../src/layers/find-violations.ts';

// Part of `npm run check`: checks which folders of a package import each other. Its arguments are the folder of the
// sources and, if the package has rules of its own, the module with them.

const [folder, rulesModule] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the sources');
const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);
if (files.length === 0) throw new Error(`there are no sources in ${resolve(folder)}`);
const sources = files.map((file): [string, string] => [
  file.replaceAll(sep, '/'),
  readFileSync(join(folder, file), 'utf8'),
]);
const violations = findViolations(new Map(sources), await readRules(rulesModule));
for (const violation of violations) process.stderr.write(`${violation}\n`);
if (violations.length > 0) {
  process.stderr.write(`\n${resolve(folder)} has cycles of folders or breaks its own rules.\n`);
  process.exitCode = 1;
}

async function readRules(path: string | undefined): Promise<readonly LayerRule[]> {
  if (path === undefined) return [];
  const module = (await import(pathToFileURL(resolve(path)).href)) as {
    LAYER_RULES: readonly LayerRule[];
  };
  return module.LAYER_RULES;
}
