import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { packers } from '../containers/library-containers.js'
import { archiveRecipes } from '../containers/nested-containers.js'
import { shuffled } from '../random.js'
import { cook } from '../recipes/cook.js'
import { encryptedRecipes } from '../recipes/zip-recipes.js'
import type { Sample } from '../sample.js'
import { missingTools } from '../tools.js'
import { filesBelow } from './folder.js'
import type { GatherDeps, Source } from './source.js'

const TREES = 3
const MAX_TREE_BYTES = 3 * 1024 * 1024
/** Few enough that slow compressors do not dominate, and enough that an archive resembles a real one. */
const TREE_FILES = { least: 5, most: 300 }

/** Packages of node_modules: real trees of code, texts and pictures. */
async function chooseTrees(
  count: number,
  { modulesFolder, random }: GatherDeps
): Promise<Array<{ folder: string; files: string[] }>> {
  const packages = (await filesBelow(modulesFolder)).filter((path) =>
    /node_modules\/[^@/.][^/]*\/package\.json$/.test(path)
  )
  const trees: Array<{ folder: string; files: string[] }> = []
  for (const path of shuffled(packages, random)) {
    const folder = join(path, '..')
    const files = await filesBelow(folder)
    if (files.length < TREE_FILES.least || files.length > TREE_FILES.most) continue
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
    if (sizes.reduce((sum, size) => sum + size, 0) > MAX_TREE_BYTES) continue
    trees.push({ folder, files })
    if (trees.length === count) break
  }
  return trees
}

/** Honest trees by every archiver that Debian and npm offer. */
export const madeArchives: Source = {
  name: 'made archives',
  kinds: ['archive', 'other'],
  quick: true,
  gather: async (deps) => {
    const recipes = [...archiveRecipes, ...encryptedRecipes]
    const missing = await missingTools(
      recipes.flatMap(({ needs }) => needs),
      deps.tools
    )
    const usable = recipes.filter(({ needs }) => !needs.some((tool) => missing.has(tool)))
    const trees = await chooseTrees(deps.quick ? 1 : TREES, deps)
    return trees.flatMap(({ folder, files }): Sample[] => [
      ...usable.map((recipe) => ({
        source: recipe.name,
        name: recipe.file,
        load: async () => await cook(recipe, { folder, one: relative(folder, files[0] ?? '') })
      })),
      ...packers.map(({ name, file, pack }) => ({
        source: `npm: ${name}`,
        name: file,
        // The libraries' wrappers take plain names only.
        load: async () =>
          await pack(
            Object.fromEntries(
              await Promise.all(
                files.map(
                  async (path) => [relative(folder, path).replaceAll('/', '-'), await readFile(path)] as const
                )
              )
            )
          )
      }))
    ])
  }
}
