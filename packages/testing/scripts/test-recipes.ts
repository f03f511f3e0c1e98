import { join } from 'node:path';
import { ALL_RECIPES } from '../src/recipes/all-recipes.ts';
import { followRecipe } from '../src/recipes/follow-recipe.ts';

// Adds a pretend feature as CONTRIBUTING describes it, one after the other, and runs its tests: `npm run test:recipes`.
// It changes files while it runs, so it belongs in a clone of its own.

const root = join(import.meta.dirname, '../../..');
for (const recipe of ALL_RECIPES) {
  const files = new Set(recipe.edits.map(({ file }) => file));
  process.stdout.write(`\n${recipe.name}, in ${files.size} files\n`);
  if (!followRecipe(root, recipe)) process.exitCode = 1;
}
