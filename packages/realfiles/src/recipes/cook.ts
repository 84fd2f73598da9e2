import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shell } from '../shell.js'
import type { Recipe } from './recipe.js'

/** The content of `in`: names and bytes, or a copy of a folder. */
export type Ingredients = { files: Record<string, string | Buffer> } | { folder: string; one: string }

/** Runs a recipe in a separate folder and returns the resulting file. */
export async function cook(
  { file, script }: Pick<Recipe, 'file' | 'script'>,
  ingredients: Ingredients
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-made-'))
  try {
    const input = join(folder, 'in')
    await mkdir(input)
    // Tools look at the extension of what they write, so the name is the final one.
    const out = join(folder, 'out', file)
    await mkdir(join(folder, 'out'))
    let one: string | undefined
    if ('folder' in ingredients) {
      await cp(ingredients.folder, input, { recursive: true })
      one = ingredients.one
    } else {
      for (const [name, bytes] of Object.entries(ingredients.files)) {
        await writeFile(join(input, name), bytes)
      }
      one = Object.keys(ingredients.files)[0]
    }
    await shell(script, { folder, env: { OUT: out, ONE: join(input, one ?? '') } })
    return await readFile(out)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
