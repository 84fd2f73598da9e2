import type { Sample } from '../sample.js'
import { cook, type Ingredients } from '../recipes/cook.js'
import type { Recipe } from '../recipes/recipe.js'
import { missingTools } from '../tools.js'
import type { GatherDeps } from './source.js'

/** A sample for each recipe with available tools, created when it is loaded. */
export async function cookedSamples(
  recipes: Recipe[],
  { tools }: Pick<GatherDeps, 'tools'>,
  ingredients: () => Promise<Ingredients>
): Promise<Sample[]> {
  const missing = await missingTools(
    recipes.flatMap(({ needs }) => needs),
    tools
  )
  return recipes
    .filter(({ needs }) => !needs.some((tool) => missing.has(tool)))
    .map((recipe) => ({
      source: recipe.name,
      name: recipe.file,
      load: async () => await cook(recipe, await ingredients())
    }))
}
