import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { defineBuild, readBuild } from '../scripts/build-info.ts';
import { describeVersion, VERSION } from '../src/version.ts';

const COMMITTED_AT = '2026-03-04T05:06:07+02:00';
const DATE = '2026-03-04T03:06:07Z';

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-build-info-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, GIT_AUTHOR_DATE: COMMITTED_AT, GIT_COMMITTER_DATE: COMMITTED_AT };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
}

function createRepository(): { folder: string; commit: string } {
  const folder = createFolder();
  git(folder, 'init', '--quiet');
  writeFileSync(join(folder, 'a.txt'), 'a');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Add a');
  // The nearest tag must not replace the commit.
  git(folder, 'tag', '--annotate', '--message', 'First', 'v1');
  return { folder, commit: git(folder, 'rev-parse', 'HEAD') };
}

test('a build knows its commit and the date of the commit, not that of the build', () => {
  const { folder, commit } = createRepository();
  expect(readBuild(folder, {})).toEqual({ commit, date: DATE });
  writeFileSync(join(folder, 'untracked.txt'), '');
  expect(readBuild(folder, { SOURCE_DATE_EPOCH: '' })).toEqual({ commit, date: DATE });
  writeFileSync(join(folder, 'a.txt'), 'changed');
  expect(readBuild(folder, { SOURCE_DATE_EPOCH: '1700000000' })).toEqual({
    commit: `${commit}-dirty`,
    date: '2023-11-14T22:13:20Z',
  });
});

test('a build of an archive knows no commit, even inside the repository of another project', () => {
  expect(readBuild(createFolder(), {})).toEqual({});
  const { folder } = createRepository();
  const inside = join(folder, 'parley');
  mkdirSync(inside);
  expect(readBuild(inside, {})).toEqual({});
  expect(readBuild(inside, { SOURCE_DATE_EPOCH: '0' })).toEqual({ date: '1970-01-01T00:00:00Z' });
  expect(() => readBuild(inside, { SOURCE_DATE_EPOCH: 'yesterday' })).toThrow("is 'yesterday'");
});

test('describes a version with what is known about its build', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  expect(describeVersion({})).toBe(VERSION);
  expect(describeVersion({ date: DATE })).toBe(`${VERSION} (2026-03-04)`);
  expect(describeVersion({ commit, date: DATE })).toBe(`${VERSION} (0123456789ab, 2026-03-04)`);
  expect(describeVersion({ commit: `${commit}-dirty` })).toBe(`${VERSION} (0123456789ab-dirty)`);
});

test('a bundle contains its build', async () => {
  const build = { commit: '0123456789abcdef0123456789abcdef01234567', date: DATE };
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../src/version.ts'),
    transform: { define: defineBuild(build) },
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const url = `data:text/javascript,${encodeURIComponent(output[0].code)}`;
  expect(await import(/* @vite-ignore */ url)).toMatchObject({ VERSION, BUILD: build });
});
