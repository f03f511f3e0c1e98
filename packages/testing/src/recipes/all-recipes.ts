import type { Recipe } from './recipe.ts';
import { settingRecipe } from './setting-recipe.ts';

/** All recipes. */
export const ALL_RECIPES: readonly Recipe[] = [settingRecipe];
