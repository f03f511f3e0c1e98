import { basename } from 'node:path/posix';

/** Module names that may repeat: package entries, programs, configuration and each language's file. */
const CONVENTIONAL = /^(?:index|main|.*\.config)$|^packages\/texts\/[a-z]+\/language$/;

const DECLARATION =
  /^export (?:declare |default |abstract |async )*(?:function\*?|class|const|let|enum|interface|type) +(\w+)/gm;
/** `export { a, b as c };` without `from`, as a re-export is the same thing under the same name. */
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\};?$/gm;

/** The server in memory imitates the real one, and has the same names for the same things. */
const IMITATION = 'packages/memory-server/';

/** Returns a description of each name that several modules export. `modules` has the sources by their path. */
export function findExportClashes(modules: ReadonlyMap<string, string>): string[] {
  return describeClashes(
    [...modules]
      .filter(([path]) => !path.startsWith(IMITATION))
      .flatMap(([path, source]) => exportsOf(source).map((name) => [name, path] as const)),
  );
}

/** Returns a description of each file name that several modules have, without their extensions. */
export function findFileClashes(paths: Iterable<string>): string[] {
  return describeClashes(
    [...paths]
      .filter((path) => !isConventional(path))
      .map((path) => [moduleName(path), path] as const),
  );
}

function exportsOf(source: string): string[] {
  const declared = [...source.matchAll(DECLARATION)].map(([, name = '']) => name);
  const listed = [...source.matchAll(EXPORT_LIST)].flatMap(([, list = '']) =>
    list.split(',').map((item) => item.trim().split(' ').at(-1) ?? ''),
  );
  // A schema and its type have one name.
  return [...new Set([...declared, ...listed])].filter((name) => name !== '');
}

/** Returns the base name without the extension, in lower case, as some file systems ignore case. */
function moduleName(path: string): string {
  return basename(path.replace(/(?:\.d)?\.\w+$/, '')).toLowerCase();
}

function isConventional(path: string): boolean {
  return CONVENTIONAL.test(moduleName(path)) || CONVENTIONAL.test(path.replace(/\.ts$/, ''));
}

function describeClashes(names: Iterable<readonly [name: string, path: string]>): string[] {
  const users = Map.groupBy(names, ([name]) => name);
  return [...users]
    .filter(([, uses]) => uses.length > 1)
    .map(([name, uses]) => `${name}: ${uses.map(([, path]) => path).join(', ')}`);
}
