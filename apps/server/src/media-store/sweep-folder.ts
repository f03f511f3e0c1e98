import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Number of files per page. */
const PAGE_SIZE = 500;

/** Lists the names of the files in a folder in pages; none if the folder does not exist. */
export async function* listFolder(folder: string): AsyncGenerator<string[]> {
  let names: string[] = [];
  const entries = await opendir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  for await (const entry of entries) {
    if (entry.isFile()) names.push(entry.name);
    if (names.length < PAGE_SIZE) continue;
    yield names;
    names = [];
    await nextTurn();
  }
  if (names.length > 0) yield names;
}

/**
 * Returns whether a file was modified at least `age` milliseconds ago. One that was modified as far in the future is
 * from before the clock was put back; less than that, another machine's clock may be ahead.
 */
export function hasAge(modifiedAt: number, age: number): boolean {
  return Math.abs(Date.now() - modifiedAt) >= age;
}

/**
 * Calls `remove` for the files of a folder that `choose` returns and that have an age in
 * milliseconds. Works in pages and stops early when `signal` is aborted.
 */
export async function sweepFolder(
  folder: string,
  age: number,
  signal: AbortSignal,
  choose: (names: readonly string[]) => Promise<readonly string[]>,
  remove: (name: string) => Promise<unknown>,
): Promise<void> {
  if (signal.aborted) return;
  for await (const names of listFolder(folder)) {
    for (const name of await choose(names)) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found !== undefined && hasAge(found.mtimeMs, age)) await remove(name);
    }
    if (signal.aborted) return;
  }
}
