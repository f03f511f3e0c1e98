import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { withChangedFiles } from '../with-changed-files.ts';
import type { Fault } from './fault.ts';

/** What became of a fault. */
export interface FaultResult {
  /** The test that saw it, or undefined if none did. */
  readonly seenBy: string | undefined;
  readonly seconds: number;
}

/** Longest run of the tests of one fault, in milliseconds. */
const RUN_TIMEOUT = 15 * 60_000;

/** Breaks the product in a working tree, runs the tests of this fault until one fails, and restores the file. */
export function findFault(root: string, fault: Fault): FaultResult {
  const { file, text, broken } = fault;
  const startedAt = performance.now();
  const seenBy = withChangedFiles(
    root,
    [{ file, text, by: broken }],
    () => runVitest(root, fault.tests) ?? runBrowserTests(root, fault.browser ?? []),
  );
  return { seenBy, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

/** Runs tests in the workspaces that contain them. Returns the name of one that fails. */
function runVitest(root: string, tests: readonly string[]): string | undefined {
  const byWorkspace = Map.groupBy(tests, (path) => path.split('/').slice(0, 2).join('/'));
  for (const [workspace, paths] of byWorkspace) {
    const folder = join(root, workspace);
    const filters = paths.map((path) => relative(workspace, path));
    // A fault of the rules shows on each database.
    const options = ['--bail=1', '--project', '!*postgres*', '--reporter=json'];
    const failed = runWithReport(
      folder,
      (report) => ['vitest', 'run', ...filters, ...options, `--outputFile=${report}`],
      readVitest,
    );
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** Builds the app and runs browser tests. Returns the name of one that fails. */
function runBrowserTests(root: string, files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  for (const workspace of ['web', 'server']) {
    const { status } = spawnSync('npm', ['run', 'build', '--workspace', `@parley/${workspace}`], {
      cwd: root,
      stdio: 'ignore',
    });
    if (status !== 0) return `the build of ${workspace}`;
  }
  const filters = files.map((file) => `src/${file}.test.ts`);
  const command = ['playwright', 'test', ...filters, '--max-failures=1', '--reporter=json'];
  return runWithReport(join(root, 'apps/e2e'), () => command, readPlaywright);
}

/** Runs a command that writes a report. Returns what `read` finds in it if the command fails. */
function runWithReport(
  cwd: string,
  command: (report: string) => readonly string[],
  read: (report: unknown) => string | undefined,
): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  const report = join(folder, 'report.json');
  try {
    const { status } = spawnSync('npx', command(report), {
      cwd,
      timeout: RUN_TIMEOUT,
      stdio: 'ignore',
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    });
    if (status === 0) return undefined;
    if (!existsSync(report)) return 'a run that does not end';
    return read(JSON.parse(readFileSync(report, 'utf8'))) ?? 'a run that failed as a whole';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readVitest(report: unknown): string | undefined {
  const { testResults } = report as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return all.find(({ status }) => status === 'failed')?.fullName;
}

interface PlaywrightSuite {
  specs: { ok: boolean; title: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
}

function readPlaywright(report: unknown): string | undefined {
  const find = ({ specs, suites = [] }: PlaywrightSuite): string | undefined => {
    const failed = specs.find(({ ok }) => !ok);
    if (failed) return `browser: ${failed.title}`;
    for (const suite of suites) {
      const name = find(suite);
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const { suites } = report as { suites: PlaywrightSuite[] };
  return find({ specs: [], suites });
}
