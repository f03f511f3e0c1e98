import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from '../src/version.ts';

/**
 * Returns what is known about the sources in a folder: their commit, with `-dirty` if tracked files
 * differ from it, and its date or that of `SOURCE_DATE_EPOCH`. The time of the build is not part of it,
 * so that the same sources give the same files. An archive without a repository has no commit.
 */
export function readBuild(root: string, env: NodeJS.ProcessEnv): Build {
  const commit = git(root, 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*');
  const seconds = env['SOURCE_DATE_EPOCH'] || git(root, 'log', '-1', '--format=%ct');
  const date = seconds === undefined ? undefined : toDate(seconds);
  return { ...(commit !== undefined && { commit }), ...(date !== undefined && { date }) };
}

/** Returns the definitions with which a bundle knows its build. */
export function defineBuild(build: Build): Record<string, string> {
  return { PARLEY_BUILD: JSON.stringify(build) };
}

function toDate(seconds: string): string {
  if (!/^\d{1,11}$/.test(seconds)) {
    throw new Error(
      `SOURCE_DATE_EPOCH is '${seconds}', but must be in seconds, such as 1700000000.`,
    );
  }
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

/** Runs git on the repository of exactly this folder, not on one that happens to contain it. */
function git(root: string, ...args: string[]): string | undefined {
  const repository = join(root, '.git');
  if (!existsSync(repository)) return undefined;
  const { status, stdout } = spawnSync(
    'git',
    [`--git-dir=${repository}`, `--work-tree=${root}`, ...args],
    { cwd: root, encoding: 'utf8' },
  );
  const output = status === 0 ? stdout.trim() : '';
  return output === '' ? undefined : output;
}
