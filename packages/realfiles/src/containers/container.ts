import { randomUUID } from 'node:crypto'
import { eicar } from '@filewright/acceptance'
import { cook } from '../recipes/cook.js'
import type { Recipe } from '../recipes/recipe.js'
import type { Tool } from '../tools.js'

/** A file written by an ordinary tool that contains the antivirus test file. */
export interface Container {
  /** Unique; the manifest names containers by it. */
  name: string
  /** Its file name at upload. */
  file: string
  needs: readonly Tool[]
  make: () => Promise<Buffer>
}

/** A line no scanner has seen, so that no verdict comes from a cache. */
export const uniqueLine = (): string => `A line of its own: ${randomUUID()}.\n`

/**
 * The test file between lines of text. Alone, its 68 bytes are so few that most compressors store them
 * uncompressed, and a scanner would find them without unpacking anything.
 */
export function infectedText(): string {
  const prose = 'An ordinary line of text that compresses well, said again and again.\n'.repeat(20)
  return `${prose}${uniqueLine()}${eicar}\n${prose}`
}

export const infectedFiles = (): Record<string, string> => ({
  'notes.txt': infectedText(),
  'clean.txt': uniqueLine()
})

export type MakeFiles = () => Record<string, string | Buffer> | Promise<Record<string, string | Buffer>>

/** Uses the recipe for honest files to pack the test file. */
export function containerOf(recipe: Recipe, files: MakeFiles = infectedFiles): Container {
  const { name, file, needs } = recipe
  return { name, file, needs, make: async () => await cook(recipe, { files: await files() }) }
}
