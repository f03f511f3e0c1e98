import { BROWSER_TESTS } from './browser-tests.ts';

/** What `npm run test:quick` does after a change. Paths are relative to the repository, with slashes. */
export interface QuickRun {
  /** Workspaces whose types are checked. */
  readonly workspaces: readonly string[];
  /** Folders whose tests run with Vitest. */
  readonly folders: readonly string[];
  /** Files of browser tests. */
  readonly browserTests: readonly string[];
}

const E2E = 'apps/e2e/src/';

/** Folders of `src/` whose subfolders are concerns of their own, with tests beside their sources. */
const PARENTS = new Set(['features', 'chatroom', 'main', 'storage']);

/**
 * Plans a run after some files have changed: the types of their workspaces, the tests of their folders, and one file of
 * browser tests for each feature of the renderer.
 */
export function planQuickRun(changed: readonly string[]): QuickRun {
  const workspaces = changed.flatMap(
    (file) => /^(?:apps|packages)\/[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  const folders = changed.filter((file) => !file.startsWith('apps/e2e/')).map(folderOf);
  const browserTests = changed.map(browserTestOf);
  return {
    workspaces: unique(workspaces),
    folders: unique(folders),
    browserTests: unique(browserTests),
  };
}

/** Returns the folder of the concern that a file belongs to, or undefined if it has no tests. */
function folderOf(file: string): string | undefined {
  const [, start, path] = /^((?:apps|packages)\/[^/]+\/(?:src|test|lint)\/)(.*)$/.exec(file) ?? [];
  if (start === undefined || path === undefined) return undefined;
  const folders = path.split('/').slice(0, -1);
  let depth = 1;
  while (PARENTS.has(folders[depth - 1] ?? '')) depth += 1;
  // A file beside the folders: the tests with its name.
  if (folders.length === 0) return start + path.replace(/(?:\.test)?\.tsx?$/, '');
  return `${start}${folders.slice(0, depth).join('/')}/`;
}

function browserTestOf(file: string): string | undefined {
  if (file.startsWith(E2E)) return file.endsWith('.test.ts') ? file : undefined;
  const folder = Object.keys(BROWSER_TESTS)
    .filter((start) => file.startsWith(start))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '');
  const test = BROWSER_TESTS[folder];
  return test && `${E2E}${test}.test.ts`;
}

function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined).toSorted();
}
