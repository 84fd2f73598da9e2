import { argumentsOf, type Arguments } from './arguments.js'
import type { Entry } from './trace.js'
import type { ModuleText } from './module-text.js'

/** The call of an entry point, and of what comes before it, as an expression with slots for inputs. */
export interface Call extends Arguments {
  /** The function to call: what comes before it is called with ordinary values. */
  callee: string
}

export function callOf(entry: Entry, module: ModuleText): Call {
  const own = argumentsOf(entry, module)
  const { access } = entry
  if (entry.before === undefined) {
    return { ...own, callee: access, render: (values) => `${access}(${own.render(values)})` }
  }
  const before = callOf(entry.before, module)
  const first = before.places.length
  const ofOwn = (values: ReadonlyMap<number, string>): Map<number, string> =>
    new Map([...values].map(([place, value]) => [place - first, value]))
  return {
    isDeclared: own.isDeclared,
    isClosed: own.isClosed,
    places: [...before.places, ...own.places],
    callee: before.render(new Map()) + access,
    render: (values) => `${before.render(values)}${access}(${own.render(ofOwn(values))})`
  }
}

/** The call as a person would write it, without names of the harness. */
export function shownCall(entry: Entry, call: string): string {
  let root = entry
  while (root.before !== undefined) root = root.before
  return call
    .replace(/^(?:new )?handlers\[\d+\][^(]*/, 'handler')
    .replace(/^(new )?lib(?=\()/, (_, made: string | undefined) => `${made ?? ''}${root.name}`)
    .replace(/^(new )?lib\./, '$1')
    .replace(/standIn\("([^"]*)"\)/g, '$1')
}
