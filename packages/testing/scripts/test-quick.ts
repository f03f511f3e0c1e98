import { execFileSync } from 'node:child_process';
import { planQuickRun } from '../src/quick/plan-quick-run.ts';
import { runNpm } from '../src/run-npm.ts';

// Checks and tests what belongs to the files that have changed since the last commit, or since the branch left another
// one: `npm run test:quick -- main`.

/** Projects of Vitest that run the same tests in other ways. */
const OTHER_PROJECTS = ['(postgres)', '(object-store)', '(timing)', '(timing-postgres)'];

const changed = listChangedFiles(process.argv[2]);
const { workspaces, folders, browserTests } = planQuickRun(changed);
if (changed.length === 0) {
  process.stdout.write('Nothing has changed.\n');
} else {
  exec('oxfmt', '--check', '--no-error-on-unmatched-pattern', ...changed);
  exec('oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...changed);
  runScript('lint:names', 'packages/testing');
  for (const workspace of workspaces) runScript('types', workspace);
  if (folders.length > 0) {
    const projects = OTHER_PROJECTS.map((name) => `--project=!*${name}`);
    exec('vitest', 'run', '--passWithNoTests', ...projects, ...folders);
  }
  if (browserTests.length > 0) {
    runScript('build', 'apps/web');
    // Packs the web client that its servers send.
    runScript('build', 'apps/server');
    runScript('test', 'apps/e2e', ...browserTests.map((file) => file.replace('apps/e2e/', '')));
  }
  process.stdout.write(`\nChecked what belongs to ${changed.length} changed files.\n`);
}

function listChangedFiles(branch: string | undefined): string[] {
  const base = branch === undefined ? 'HEAD' : git('merge-base', branch, 'HEAD').trim();
  const output =
    git('diff', '--name-only', '--diff-filter=d', '-z', base) +
    git('ls-files', '--others', '--exclude-standard', '-z');
  return output.split('\0').filter((file) => file !== '');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}

function exec(...args: string[]): void {
  runNpm(['exec', '--', ...args]);
}

function runScript(script: string, workspace: string, ...args: string[]): void {
  runNpm(['run', script, '--workspace', workspace, '--if-present', '--', ...args]);
}
