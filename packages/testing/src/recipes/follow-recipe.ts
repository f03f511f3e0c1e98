import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from './recipe.ts';

/**
 * Makes the changes of a recipe in a working tree, checks the types of everything, runs the recipe's tests, and takes the
 * changes back. Returns whether all passed.
 */
export function followRecipe(root: string, { edits, tests }: Recipe): boolean {
  const before = new Map<string, string | undefined>();
  const restore = (): void => {
    for (const [path, source] of before) {
      if (source === undefined) rmSync(path, { force: true });
      else writeFileSync(path, source);
    }
  };
  const stop = (): void => process.exit(1);
  process.once('exit', restore);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    for (const { file, text, by } of [...edits, ...tests]) {
      const path = join(root, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      if (!before.has(path)) before.set(path, source);
      writeFileSync(path, text === undefined ? by : (source ?? '').replace(text, () => by));
    }
    return (
      run(root, 'oxlint', '--type-aware', '--type-check', '--deny-warnings') &&
      run(root, 'vitest', 'run', ...tests.map(({ file }) => file))
    );
  } finally {
    restore();
    process.off('exit', restore);
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  }
}

function run(cwd: string, ...command: string[]): boolean {
  return spawnSync('npx', command, { cwd, stdio: 'inherit' }).status === 0;
}
