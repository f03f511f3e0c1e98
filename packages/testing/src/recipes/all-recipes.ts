import { changeRecipe } from './change-recipe.ts';
import { eventRecipe } from './event-recipe.ts';
import { kindRecipe } from './kind-recipe.ts';
import type { Recipe } from './recipe.ts';
import { settingRecipe } from './setting-recipe.ts';

/** All recipes. */
export const ALL_RECIPES: readonly Recipe[] = [
  settingRecipe,
  eventRecipe,
  kindRecipe,
  changeRecipe,
];
