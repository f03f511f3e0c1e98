import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintWorkflow } from '../scripts/workflows/lint-workflow.ts';

const FOLDER = join(import.meta.dirname, '../../../.github/workflows');
const read = (name: string) => readFile(join(FOLDER, name), 'utf8');

test.each(['check.yml', 'desktop.yml', 'release.yml'])('reports no error in %s', async (name) => {
  expect(await lintWorkflow(FOLDER, await read(name))).toEqual([]);
});

test.each([
  ['a job that does not exist', 'needs: version', 'needs: vresion', /'vresion'/],
  ['a key that does not exist', 'runs-on: ubuntu', 'run-on: ubuntu', /run-on/],
  ['a context that does not exist', '${{ vars.PARLEY', '${{ var.PARLEY', /Unrecognized.*'var/],
  [
    'an expression that does not end',
    '${{ github.token }}',
    '${{ github.token && }}',
    /expression/,
  ],
  ['a value of a wrong type', 'timeout-minutes: 60', 'timeout-minutes: long', /Unexpected value/],
  ['an input that a called workflow does not have', 'os: ${{', 'system: ${{', /system/],
  ['a called workflow that does not exist', 'desktop.yml', 'desk.yml', /find reusable workflow/],
])('reports %s', async (_name, right, wrong, message) => {
  const text = await read('release.yml');
  expect(text).toContain(right);
  const errors = await lintWorkflow(FOLDER, text.replace(right, wrong));
  expect(errors.map((error) => error.message).join('\n')).toMatch(message);
  const line = text.slice(0, text.indexOf(right)).split('\n').length;
  expect(errors.some((error) => Math.abs(error.line - line) <= 2)).toBe(true);
});

test('the workflows test the app with a browser on every system, and release it only after that', async () => {
  const desktop = await read('desktop.yml');
  const browser = desktop.indexOf('npm run browser --workspace @parley/e2e');
  expect(browser).toBeGreaterThan(0);
  expect(browser).toBeLessThan(desktop.indexOf('npm run test:desktop'));
  for (const name of ['check.yml', 'release.yml']) {
    const text = await read(name);
    expect(text).toContain('os: [ubuntu-latest, windows-latest, macos-latest]');
    expect(text).toContain('uses: ./.github/workflows/desktop.yml');
  }
  expect(await read('release.yml')).toMatch(/package:\n.*\n {4}needs: \[version, test\]\n/);
});

test('a release needs a tag that equals the version, and can be packaged by hand without the tests', async () => {
  const release = await read('release.yml');
  expect(release).toContain(
    'test "$TAG" = "v$(jq --raw-output .version apps/desktop/package.json)"',
  );
  expect(release).toContain('\n  workflow_dispatch:\n');
  expect(release).toContain("(needs.test.result == 'success' || inputs.skip_tests)");
  // The tag of a run by hand may differ from the branch whose workflow runs, and have the name of a branch.
  const checkouts = release.match(/uses: actions\/checkout@/g) ?? [];
  const refs = Array.from(release.matchAll(/^ {10}ref: (.*)$/gm), ([, ref]) => ref);
  const tag = "inputs.tag && format('refs/tags/{0}', inputs.tag) || github.ref";
  expect(refs).toEqual(checkouts.map(() => `\${{ ${tag} }}`));
});
