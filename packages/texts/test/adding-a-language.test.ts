import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isLongRun } from '@parley/testing/scope';
import { LANGUAGE_CODES, LANGUAGES, matchLanguage } from '@parley/texts';
import { expect, test } from 'vitest';
import { pseudo, PSEUDO_LANGUAGE, PSEUDO_LANGUAGE_ENTRY } from './pseudo-language.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The workspaces that import the texts. Only the long run compiles them again, which takes half a minute. */
const workspaces = ['packages', 'apps']
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
  .filter((workspace) => {
    const manifest = join(ROOT, workspace, 'package.json');
    return existsSync(manifest) && readFileSync(manifest, 'utf8').includes('"@parley/texts": "*"');
  });

test('adds a language with a folder and a line in the registry', () => {
  expect(LANGUAGE_CODES).toEqual(['en', 'de', PSEUDO_LANGUAGE]);
  expect(LANGUAGES[matchLanguage(`${PSEUDO_LANGUAGE}-AT,de`)].name).toBe(pseudo('English'));
});

test('keeps placeholders, elements and the product name in pseudo-texts', () => {
  expect(pseudo('Open <b>{{name}}</b> in Parley')).toBe('Opéñ <b>{{name}}</b> íñ Parley~~~~~~~~~~');
});

test.runIf(isLongRun).for(workspaces)(
  '%s compiles with another language',
  { timeout: 600_000 },
  async (workspace) => {
    const folder = join(PSEUDO_LANGUAGE_ENTRY, '../../types', workspace);
    const config = readFileSync(join(ROOT, workspace, 'tsconfig.json'), 'utf8');
    const { include } = JSON.parse(config) as { include: string[] };
    const from = (path: string): string => relative(folder, path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: from(join(ROOT, workspace, 'tsconfig.json')),
        compilerOptions: {
          paths: { '@parley/texts': [from(PSEUDO_LANGUAGE_ENTRY)] },
          incremental: true,
          tsBuildInfoFile: 'types.tsbuildinfo',
        },
        include: include.map((path) => from(join(ROOT, workspace, path))),
      }),
    );
    // If compilation fails, the output contains the errors.
    const { stdout } = await run(process.execPath, [TSC, '--project', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  },
);
