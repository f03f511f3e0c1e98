import { join } from 'node:path';
import { ALL_RECIPES } from '../src/recipes/all-recipes.ts';
import { followRecipe } from '../src/recipes/follow-recipe.ts';

// Adds a pretend feature as CONTRIBUTING describes it, one after the other, and runs its tests: `npm run test:recipes`.
// It changes files while it runs, so it belongs in a clone of its own. With arguments, only the recipes whose names contain
// one of them: `npm run test:recipes -- event`.

const root = join(import.meta.dirname, '../../..');
const wanted = process.argv.slice(2);
const recipes = ALL_RECIPES.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (recipes.length === 0) throw new Error(`no recipe is called ${wanted.join(' or ')}`);

for (const recipe of recipes) {
  const files = new Set(recipe.edits.map(({ file }) => file));
  process.stdout.write(`\n${recipe.name}, in ${files.size} files\n`);
  if (!followRecipe(root, recipe)) process.exitCode = 1;
}
