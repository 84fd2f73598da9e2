import type { Kind } from '../options.js'
import type { Sample } from '../sample.js'
import type { ToolsDeps } from '../tools.js'

export interface GatherDeps {
  random: () => number
  quick: boolean
  tools: ToolsDeps
  /** The folder for downloads, which are kept. */
  cacheFolder: string
  /** The project's own, with the files of hundreds of packages. */
  modulesFolder: string
  say: (line: string) => void
  /** Files that were not available, with the reason. */
  skipped: string[]
}

/** Where files come from. */
export interface Source {
  name: string
  kinds: readonly Kind[]
  /** Whether it is part of a quick run. */
  quick: boolean
  gather: (deps: GatherDeps) => Promise<Sample[]>
}
