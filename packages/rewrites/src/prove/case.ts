import type { Entry } from './driver.js'
import type { LoadedCode, Run } from './machine.js'
import type { ModuleText } from './module-text.js'

/** What a prover works on. */
export interface Case {
  code: string
  line: number
  module: ModuleText
  loaded: LoadedCode
  /** Those around the finding first. */
  entries: readonly Entry[]
  /** Runs a call alone. Null where it does not come through the function around the finding. */
  confirm: (call: string) => Promise<Run | null>
}

/** How people write the call: without the names of the harness. */
export function shownCall(entry: Entry, args: string): string {
  const name =
    entry.access === 'lib' || entry.isHandler
      ? entry.name.replace(/^handlers.*/, 'handler')
      : entry.access.replace(/\blib\./, '')
  return `${name}(${args.replace(/standIn\("([^"]*)"\)/g, '$1')})`
}

/** The line where the code of an entry begins. */
export function lineOf({ source }: Entry, code: string): number {
  // The compiler may have printed the line with other spaces.
  const bare = (text: string): string => text.replace(/\s/g, '')
  const first = bare(source.split('\n')[0] ?? '')
  const at = code.split('\n').findIndex((line) => bare(line).includes(first))
  return at === -1 ? 1 : at + 1
}
