import type { Entry } from './driver.js'
import type { LoadedCode, Run } from './machine.js'
import type { ModuleText } from './module-text.js'

/** The input of a prover. */
export interface Case {
  code: string
  line: number
  module: ModuleText
  loaded: LoadedCode
  /** Entry points around the finding come first. */
  entries: readonly Entry[]
  /**
   * Runs one call again, in a fresh realm, and once more in a world that refuses the input wherever it is asked.
   * Null unless both runs show something that the expressions of the finding made.
   */
  confirm: <T>(call: string, shows: (run: Run) => T | null) => Promise<T | null>
}

/** The call as a person would write it, without names of the harness. */
export function shownCall(entry: Entry, args: string): string {
  const name =
    entry.access === 'lib' || entry.isHandler
      ? entry.name.replace(/^handlers.*/, 'handler')
      : entry.access.replace(/\blib\./, '')
  return `${name}(${args.replace(/standIn\("([^"]*)"\)/g, '$1')})`
}

/** The line at which the code of an entry point begins. */
export function lineOf({ source }: Entry, code: string): number {
  // The compiler may have changed the line's whitespace.
  const bare = (text: string): string => text.replace(/\s/g, '')
  const first = bare(source.split('\n')[0] ?? '')
  const at = code.split('\n').findIndex((line) => bare(line).includes(first))
  return at === -1 ? 1 : at + 1
}
