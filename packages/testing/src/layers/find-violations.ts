import { dirname, join } from 'node:path/posix';

/** Source files by their path below `src/`. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly from: string;
  /** A path below `src/` or the name of a package. */
  readonly to: string;
}

/** A rule of a package on which file may import what. */
export interface LayerRule {
  readonly why: string;
  /** `to` is a path below `src/` or the name of a package. */
  readonly isBroken: (from: string, to: string) => boolean;
}

/**
 * Returns a description of every import that breaks a rule and of every cycle of folders, in which a file outside
 * any folder counts as one. Includes type imports.
 */
export function findViolations(sources: Sources, rules: readonly LayerRule[] = []): string[] {
  const imports = [...sources].flatMap(([path, source]) => importsOf(path, source));
  const violations = imports.flatMap(({ from, to }) =>
    rules
      .filter(({ isBroken }) => isBroken(from, to))
      .map(({ why }) => `${from} imports ${to}: ${why}`),
  );
  return [...violations, ...findCycles(imports)];
}

/** Returns the top-level folder of a file, or the path itself if the file is in no folder. */
function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function importsOf(from: string, source: string): Import[] {
  // Matches `from '…'`, `import '…'` and `import('…')`, including type imports.
  const found = source.matchAll(/(?:\bfrom|\bimport)[\s(]+'([^']+)'/g);
  return [...found].map(([, name = '']) => ({
    from,
    to: name.startsWith('.') ? join(dirname(from), name) : name,
  }));
}

/** Describes one cycle per group of folders that import each other, with the imports that form it. */
function findCycles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Map<string, Import>>();
  for (const each of imports) {
    const [from, to] = [folderOf(each.from), folderOf(each.to)];
    if (from === to || !/\.tsx?$/.test(each.to)) continue;
    const targets = edges.get(from) ?? new Map<string, Import>();
    edges.set(from, targets);
    if (!targets.has(to)) targets.set(to, each);
  }
  const violations: string[] = [];
  const reported = new Set<string>();
  for (const folder of edges.keys()) {
    if (reported.has(folder)) continue;
    const cycle = shortestCycle(edges, folder);
    if (cycle === undefined) continue;
    for (const { from } of cycle) reported.add(folderOf(from));
    const steps = cycle.map(({ from, to }) => `  ${from} imports ${to}`);
    violations.push(`a cycle of folders:\n${steps.join('\n')}`);
  }
  return violations;
}

/** Returns the shortest cycle from a folder back to itself, by breadth-first search. */
function shortestCycle(
  edges: ReadonlyMap<string, ReadonlyMap<string, Import>>,
  start: string,
): Import[] | undefined {
  const paths: Import[][] = [[]];
  const seen = new Set<string>();
  for (const path of paths) {
    const last = path.at(-1);
    const here = last === undefined ? start : folderOf(last.to);
    for (const [folder, each] of edges.get(here) ?? []) {
      if (folder === start) return [...path, each];
      if (seen.has(folder)) continue;
      seen.add(folder);
      paths.push([...path, each]);
    }
  }
  return undefined;
}
