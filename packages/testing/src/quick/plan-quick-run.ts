import { BROWSER_TESTS } from './browser-tests.ts';
import { COMPONENT_TESTS } from './component-tests.ts';

/** What `npm run test:quick` does after a change. Paths are relative to the repository, with slashes. */
export interface QuickRun {
  /** Workspaces whose types are checked. */
  readonly workspaces: readonly string[];
  /** Folders whose tests run with Vitest, and the beginnings of the paths of component tests. */
  readonly folders: readonly string[];
  /** Files of browser tests. */
  readonly browserTests: readonly string[];
}

const E2E = 'apps/e2e/src/';
const COMPONENTS = 'packages/renderer/test/component/';

/** Folders of `src/` whose subfolders are concerns of their own, with tests beside their sources. */
const PARENTS = new Set(['features', 'chatroom', 'main', 'storage']);

/**
 * Plans a run after some files have changed: the types of their workspaces, the tests of their folders, and some
 * component tests and one file of browser tests for each feature of the renderer.
 */
export function planQuickRun(changed: readonly string[]): QuickRun {
  const workspaces = changed.flatMap(
    (file) => /^(?:apps|packages)\/[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  const tested = changed.filter((file) => !file.startsWith('apps/e2e/'));
  const folders = [...tested.map(folderOf), ...changed.flatMap(componentTestsOf)];
  const browserTests = changed.map(browserTestOf);
  return {
    workspaces: unique(workspaces),
    folders: unique(folders),
    browserTests: unique(browserTests),
  };
}

/** Returns the folder of the concern that a file belongs to, or undefined if it has no tests. */
function folderOf(file: string): string | undefined {
  if (file.startsWith(COMPONENTS))
    return file.endsWith('.test.ts') ? file.replace(/\.test\.ts$/, '') : undefined;
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
  const test = findByFolder(BROWSER_TESTS, file);
  return test && `${E2E}${test}.test.ts`;
}

function componentTestsOf(file: string): string[] {
  return (findByFolder(COMPONENT_TESTS, file) ?? []).map((name) => COMPONENTS + name);
}

/** Returns the value of the longest folder that contains a file. */
function findByFolder<Value>(
  values: Readonly<Record<string, Value>>,
  file: string,
): Value | undefined {
  const folder = Object.keys(values)
    .filter((start) => file.startsWith(start))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '');
  return values[folder];
}

function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined).toSorted();
}
