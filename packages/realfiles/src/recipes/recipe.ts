import type { Tool } from '../tools.js'

/** How a tool packs the folder `in`, which holds the file `notes.txt` and others, into the file `$OUT`. */
export interface Recipe {
  name: string
  /** The name of the result, with its usual extension. */
  file: string
  needs: readonly Tool[]
  /** For bash, in the folder above `in`. `$ONE` is one file of it. */
  script: string
}

export type RecipeLine = [name: string, file: string, needs: string, script: string]

/** Needed tools are separated by spaces. */
export function recipesOf(lines: readonly RecipeLine[]): Recipe[] {
  return lines.map(([name, file, needs, script]) => ({
    name,
    file,
    needs: needs.split(' ') as Tool[],
    script
  }))
}
