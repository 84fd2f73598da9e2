import { shownCall } from '../calls.js'
import type { Entry } from '../trace.js'
import type { Mode } from '../outside.js'
import { WATCH } from './watched-text.js'

/** A call of a sequence. */
export interface Step {
  entry: Entry
  /** The arguments as JavaScript. */
  args: string
}

/** Calls in an order, on the module or on an object that the first one makes. */
export interface Attempt {
  /** A constructor or a function whose result the other calls use. */
  root: Step | null
  steps: Step[]
  mode: Mode
  /** Whether declared types allow all of its values, or a client may send them. */
  isDeclared?: boolean
}

const ofObject = ({ entry, args }: Step, name: string): string =>
  entry.before === undefined ? `${entry.access}(${args})` : `${name}${entry.access}(${args})`

/**
 * The expression that makes the calls.
 * @param isWatched whether the watcher is told that a promise is waited for
 */
export function textOf({ root, steps }: Attempt, isWatched = false): string {
  const made = root === null ? '' : `${root.entry.access}(${root.args})`
  if (steps.length === 0) return made
  if (steps.length === 1) return ofObject(steps[0]!, made)
  const isAsync = steps.slice(0, -1).some(({ entry }) => /\basync\b|\bPromise\b|\.then\(/.test(entry.source))
  const calls = steps.map((step) => ofObject(step, 'it'))
  const awaited = calls
    .slice(0, -1)
    .map((call) => (!isAsync ? call : isWatched ? `await ${WATCH}.a(0, ${call})` : `await ${call}`))
  const body = `{ ${[...awaited, `return ${calls.at(-1)!}`].join('; ')} }`
  const head = isAsync ? 'async ' : ''
  return root === null ? `(${head}() => ${body})()` : `(${head}(it) => ${body})(${made})`
}

/** The calls as a person would write them. */
export function shownOf(attempt: Attempt): string {
  const { root, steps } = attempt
  const last = steps.at(-1) ?? root!
  if (steps.length < 2) return shownCall(last.entry, textOf(attempt))
  const calls = steps.map((step) => shownCall(step.entry, ofObject(step, 'it')))
  const made = root === null ? [] : [`const it = ${shownCall(root.entry, textOf({ ...attempt, steps: [] }))}`]
  return [...made, ...calls].join('; ')
}
