import { randomUUID } from 'node:crypto'
import { eicar } from '@filewright/acceptance'
import { cook } from '../recipes/cook.js'
import type { Recipe } from '../recipes/recipe.js'
import type { Tool } from '../tools.js'

/** A file that an ordinary tool writes and that holds the antivirus test file. */
export interface Container {
  /** Unique; the manifest names containers by it. */
  name: string
  /** What it is called when it is uploaded. */
  file: string
  needs: readonly Tool[]
  make: () => Promise<Buffer>
}

/** A line no scanner has seen, so that no verdict comes from a cache. */
export const uniqueLine = (): string => `A line of its own: ${randomUUID()}.\n`

/**
 * The test file between lines of text. Alone, its 68 bytes are so few that most compressors store them as
 * they are, and a scanner would find them without unpacking anything.
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

/** The same recipe that packs honest files, over the test file. */
export function containerOf(recipe: Recipe, files: MakeFiles = infectedFiles): Container {
  const { name, file, needs } = recipe
  return { name, file, needs, make: async () => await cook(recipe, { files: await files() }) }
}
