import { spawnSync } from 'node:child_process';
import { withChangedFiles } from '../with-changed-files.ts';
import type { Recipe } from './recipe.ts';

/**
 * Makes the changes of a recipe in a working tree, checks the types of everything, runs the recipe's tests, and takes the
 * changes back. Returns whether all passed.
 */
export function followRecipe(root: string, { edits, tests, existingTests }: Recipe): boolean {
  return withChangedFiles(
    root,
    [...edits, ...tests],
    () =>
      run(root, 'oxlint', '--type-aware', '--type-check', '--deny-warnings') &&
      run(root, 'vitest', 'run', ...tests.map(({ file }) => file), ...existingTests),
  );
}

function run(cwd: string, ...command: string[]): boolean {
  return spawnSync('npx', command, { cwd, stdio: 'inherit' }).status === 0;
}
